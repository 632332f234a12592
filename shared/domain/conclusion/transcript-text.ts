import type { TranscriptEntry, TranscriptRole } from '../transcript.ts'

/** How each voice of a call is named in the text of its transcript. */
export const SPEAKER_LABELS: Readonly<Record<TranscriptRole, string>> = {
  assistant: 'Agent',
  user: 'User',
  human_agent: 'Human agent',
  tool: 'Tool',
}

/** One line per entry, `User: ...`; nobody can speak a line break and so forge another's line. */
export function transcriptText(entries: readonly TranscriptEntry[]): string {
  return entries
    .map((entry) =>
      `${SPEAKER_LABELS[entry.role]}: ${contentOf(entry)}`.replace(/\s+/g, ' ').trim(),
    )
    .join('\n')
}

function contentOf(entry: TranscriptEntry): string {
  if (entry.role !== 'tool') return entry.content
  return [entry.toolName, entry.toolOutput ?? entry.content].filter(Boolean).join(' -> ')
}
