import type { Assistant, AssistantSettings, FaqItem, Person } from '#shared/domain/assistant.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { createRecord } from './create-record.ts'

export type CreateAssistantPorts = Pick<
  ServicePorts,
  'assistants' | 'organizations' | 'clock' | 'ids'
>

export interface CreateAssistantInput {
  readonly organizationId: string
  /** Whose key the request was made with. */
  readonly userId: string
  readonly settings: Omit<AssistantSettings, 'faqItems'>
  readonly faqItems: readonly QuestionAndAnswer[]
}

export interface QuestionAndAnswer {
  readonly question: string
  readonly answer: string
}

/** Stores a new assistant (spec 4.1). */
export async function createAssistant(
  ports: CreateAssistantPorts,
  input: CreateAssistantInput,
): Promise<Assistant> {
  const now = ports.clock.now()
  return createRecord<Assistant>(ports.assistants, {
    ...input.settings,
    faqItems: newFaqItems(ports, input.faqItems),
    id: ports.ids.next('asst'),
    organizationId: input.organizationId,
    pendingFaqCount: 0,
    createdBy: await findPerson(ports, input),
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  })
}

/** FAQ items as a person wrote them. */
export function newFaqItems(
  ports: Pick<ServicePorts, 'ids'>,
  items: readonly QuestionAndAnswer[],
): FaqItem[] {
  return items.map(({ question, answer }) => ({
    id: ports.ids.next('faq'),
    question,
    answer,
    needsHumanAnswer: false,
    source: 'human',
  }))
}

/** A member of the organization as other records show it; null when there is none. */
export async function findPerson(
  ports: Pick<ServicePorts, 'organizations'>,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
): Promise<Person | null> {
  const user = await ports.organizations.findUser(organizationId, userId)
  if (user === null) return null
  const { id, email, firstName, lastName } = user
  return { id, email, firstName, lastName }
}
