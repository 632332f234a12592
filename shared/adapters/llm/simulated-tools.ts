import type { ChatMessage, JsonSchema, ToolDefinition } from '#shared/domain/chat.ts'

import { INTENTS, plainWords, whenIn } from './simulated-phrases.ts'

export interface SimulatedToolCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

const PRESS_KEYS = 'press_keys'
const SKIP_TURN = 'skip_turn'
const TRANSFER = 'transfer_call'

/**
 * The tool that the simulated model calls now, if any. In a phone menu it presses the key whose words
 * its prompt has most of. A person who asks for a human is transferred. Other tools are called as a
 * line of the prompt says: `When they say "words", use tool_name.`
 */
export function simulatedToolCall(
  messages: readonly ChatMessage[],
  tools: readonly ToolDefinition[],
): SimulatedToolCall | null {
  const offered = (name: string) => tools.find((tool) => tool.name === name)
  const prompt = messages[0]?.content ?? ''
  const heard = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  if (offered(PRESS_KEYS)) return menuMove(prompt, heard)
  const isAnswered = messages.findLastIndex(({ role }) => role === 'user') < lastToolIndex(messages)
  if (isAnswered) return null
  if (offered(TRANSFER) && INTENTS.human.test(heard)) {
    return { name: TRANSFER, arguments: argumentsFor(offered(TRANSFER)!, heard) }
  }
  for (const [, words = '', name = ''] of prompt.matchAll(
    /\bWhen they say "([^"]+)", use (\w+)/gi,
  )) {
    const tool = offered(name)
    if (tool === undefined || !plainWords(heard).includes(plainWords(words))) continue
    return { name, arguments: argumentsFor(tool, heard) }
  }
  return null
}

function lastToolIndex(messages: readonly ChatMessage[]): number {
  return messages.findLastIndex(({ role }) => role === 'tool')
}

function menuMove(prompt: string, heard: string): SimulatedToolCall {
  const options = [...heard.matchAll(/\bfor ([^.,;]+?),? press (\w+)/gi)].map(
    ([, topic = '', key = '']) => ({ topic, key: KEYS[key.toLowerCase()] ?? key }),
  )
  const wanted = new Set(plainWords(prompt).split(' '))
  const fit = ({ topic }: { readonly topic: string }) =>
    plainWords(topic)
      .split(' ')
      .filter((word) => wanted.has(word)).length
  const best = options.toSorted((a, b) => fit(b) - fit(a))[0]
  return best === undefined
    ? { name: SKIP_TURN, arguments: {} }
    : { name: PRESS_KEYS, arguments: { keys: best.key } }
}

const KEYS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'zero one two three four five six seven eight nine'
      .split(' ')
      .map((word, digit) => [word, String(digit)]),
  ),
  star: '*',
  pound: '#',
  hash: '#',
}

/** What a schema asks for: the first of its choices, a day that was named, or what was heard. */
function argumentsFor(tool: ToolDefinition, heard: string): Readonly<Record<string, unknown>> {
  const properties = (tool.parameters['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, valueFor(name, schema, heard)]),
  )
}

function valueFor(name: string, schema: JsonSchema, heard: string): unknown {
  const choices = schema['enum']
  if (Array.isArray(choices)) return choices[0]
  if (schema['type'] === 'number') return 1
  if (schema['type'] === 'boolean') return true
  return /day|date|time|when/.test(name) ? (whenIn(heard) ?? heard) : heard
}
