import { expect, test } from 'vitest'

import { routes } from '#shared/contract/routes.ts'
import { SCOPES } from '#shared/contract/scope.ts'

test('every scope is asked for by an operation', () => {
  const asked = Object.values(routes).flatMap(({ scope }) => (scope === null ? [] : [scope]))
  expect([...new Set(asked)].toSorted()).toEqual(SCOPES.toSorted())
})
