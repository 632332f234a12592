import type { Assistant } from '#shared/domain/assistant.ts'
import type { AssistantStore } from '#shared/ports/assistant-store.ts'

import { frozenCopy } from './frozen-copy.ts'

/** The assistant store in memory. */
export function memoryAssistantStore(): AssistantStore {
  /** By organization, then id. */
  const organizations = new Map<string, Map<string, Assistant>>()
  /** By id and version. */
  const versions = new Map<string, Assistant>()
  const assistantsOf = (organizationId: string) =>
    organizations.get(organizationId) ?? new Map<string, Assistant>()
  return {
    find: async (organizationId, assistantId) => {
      const assistant = assistantsOf(organizationId).get(assistantId)
      return assistant === undefined || assistant.deletedAt !== null ? null : assistant
    },
    findVersion: async (assistantId, version) => versions.get(`${assistantId}#${version}`) ?? null,
    save: async ({ before, after }) => {
      const assistants = assistantsOf(after.organizationId)
      if (assistants.get(after.id)?.version !== before?.version) return { kind: 'conflict' }
      const stored = frozenCopy(after)
      organizations.set(after.organizationId, assistants.set(after.id, stored))
      versions.set(`${after.id}#${after.version}`, stored)
      return { kind: 'saved' }
    },
    list: async (organizationId, { limit, cursor }) => {
      const found = [...assistantsOf(organizationId).values()]
        .filter(({ id, deletedAt }) => deletedAt === null && (cursor === null || id < cursor))
        .sort((one, other) => (one.id > other.id ? -1 : 1))
      const assistants = found.slice(0, limit)
      const nextCursor = found.length > limit ? (assistants.at(-1)?.id ?? null) : null
      return { assistants, nextCursor }
    },
  }
}
