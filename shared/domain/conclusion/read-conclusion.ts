import { OUTCOMES } from '../assistant.ts'
import type { AssistantSettings, Outcome } from '../assistant.ts'
import { coerceField } from './coerce-field.ts'

export interface Conclusion {
  /** Null when the model could not tell, or did not. */
  readonly outcome: Outcome | null
  readonly outcomeSummary: string | null
  /** Every configured field, null where the call did not answer it; null without configuration. */
  readonly structuredOutput: Readonly<Record<string, unknown>> | null
  /** What the model got wrong, for a log: never what was said. */
  readonly problems: readonly string[]
}

const MAX_SUMMARY_CHARS = 2_000

/**
 * What a model answered to `buildConclusionRequest`. Models are not trusted to follow a schema:
 * whatever is usable is kept, the rest becomes null and a problem. Never throws.
 */
export function readConclusion(
  text: string,
  config: AssistantSettings['structuredOutputConfig'],
): Conclusion {
  const problems: string[] = []
  const answer = jsonObjectIn(text)
  if (answer === null) problems.push('answer: not a JSON object')

  const rawOutcome = own(answer, 'outcome')
  const outcome = OUTCOMES.find((outcome) => outcome === rawOutcome) ?? null
  if (answer !== null && outcome !== rawOutcome) problems.push('outcome: not one of the options')

  const summary = own(answer, 'outcome_summary')
  const hasSummary = typeof summary === 'string' && summary.trim() !== ''
  if (answer !== null && !hasSummary) problems.push('outcome_summary: missing')

  return {
    outcome,
    outcomeSummary: hasSummary ? summary.trim().slice(0, MAX_SUMMARY_CHARS) : null,
    structuredOutput: readFields(own(answer, 'structured_output'), config ?? [], problems),
    problems,
  }
}

function readFields(
  raw: unknown,
  fields: NonNullable<AssistantSettings['structuredOutputConfig']>,
  problems: string[],
): Record<string, unknown> | null {
  if (fields.length === 0) return null
  const values = fields.map((field) => {
    const coerced = coerceField(field, own(raw, field.name))
    if (coerced.kind === 'value') return [field.name, coerced.value] as const
    if (coerced.kind === 'wrong') problems.push(`${field.name}: not a ${field.type}`)
    else if (field.required) problems.push(`${field.name}: missing`)
    return [field.name, null] as const
  })
  return Object.fromEntries(values)
}

/** The JSON object in a text that may surround it with a code fence or a remark. */
function jsonObjectIn(text: string): object | null {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

function own(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}
