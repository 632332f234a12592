import { ok, refused } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { userToWire } from '#shared/contract/user.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

type Ports = Pick<ServicePorts, 'organizations' | 'clock'>

const gone = refused('not_found', 'The user of this key does not exist any more')

/** GET /users/me */
export const getCurrentUserOperation: Operation<Ports, 'getCurrentUser'> = async (
  ports,
  { caller },
) => {
  const user = await ports.organizations.findUser(caller.organizationId, caller.userId)
  return user === null ? gone : ok({ user: userToWire(user) })
}

/** PATCH /users/me */
export const updateCurrentUserOperation: Operation<Ports, 'updateCurrentUser'> = async (
  ports,
  { caller, body },
) => {
  const user = await ports.organizations.findUser(caller.organizationId, caller.userId)
  if (user === null) return gone
  const { has_completed_onboarding: hasCompletedOnboarding = user.hasCompletedOnboarding } = body
  const changed = { ...user, hasCompletedOnboarding, updatedAt: ports.clock.now() }
  await ports.organizations.saveUser(changed)
  return ok({ user: userToWire(changed) })
}
