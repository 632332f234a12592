/**
 * `npm run replay -- <file>`: a conversation once more, from the history that was stored of it beside
 * its recording. Prints what happened and what was decided, and whether the engine decides the same now.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import type { ConversationCommand } from '#voice/engine/conversation-command.ts'
import {
  historyText,
  holdAgain,
  readHistory,
  withDecisionsOfNow,
} from '#voice/session/call-history.ts'
import type { HeldStep } from '#voice/session/call-history.ts'

const USAGE = `npm run replay -- <file.history.jsonl>...
  --quiet    only whether the commands are as recorded
  --accept   what is decided now becomes what is recorded`

const TEXT_MAX = 100

function timeline({ event, commands, phase, isAsRecorded }: HeldStep): string {
  const { atMs = 0, type = 'start', ...told } = event ?? {}
  const mark = isAsRecorded ? ' ' : '!'
  const first = `${mark}${(atMs / 1000).toFixed(3).padStart(9)}  ${phase.padEnd(9)}  ${type} ${shown(told)}`
  const rest = commands.map((command) => `${' '.repeat(23)}-> ${shownCommand(command)}`)
  return [first.trimEnd(), ...rest].join('\n')
}

function shownCommand({ type, ...parts }: ConversationCommand): string {
  // All that was said before is in the lines above.
  if ('messages' in parts) return `${type} ${shown({ requestId: parts.requestId })}`
  return `${type} ${shown('event' in parts ? parts.event : parts)}`.trimEnd()
}

function shown(parts: object): string {
  return Object.entries(parts)
    .filter(([name, value]) => value !== null && name !== 'llmSystemPrompt')
    .map(([name, value]) => {
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
      return `${name}=${text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}...` : text}`
    })
    .join(' ')
}

const { positionals: files, values } = parseArgs({
  allowPositionals: true,
  options: { quiet: { type: 'boolean' }, accept: { type: 'boolean' } },
})
if (files.length === 0) {
  console.error(USAGE)
  process.exitCode = 2
}
for (const file of files) {
  const history = readHistory(readFileSync(file, 'utf8'))
  const steps = holdAgain(history)
  if (values.quiet !== true) console.log(steps.map(timeline).join('\n'))
  const changed = steps.filter(({ isAsRecorded }) => !isAsRecorded)
  const commands = steps.reduce((sum, step) => sum + step.commands.length, 0)
  const verdict =
    changed.length === 0
      ? 'as recorded'
      : `${changed.length} decisions differ, the first at ${changed[0]?.event?.atMs ?? 0} ms`
  console.log(`${file}: ${history.steps.length} events, ${commands} commands, ${verdict}`)
  if (values.accept === true) writeFileSync(file, historyText(withDecisionsOfNow(history)))
  else if (changed.length > 0) process.exitCode = 1
}
