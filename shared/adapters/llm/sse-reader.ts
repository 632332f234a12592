import { AdapterError } from '#shared/ports/adapter-error.ts'

/**
 * The `data` of each server-sent event, as the bytes arrive (HTML standard 9.2.6).
 * Lines may end in LF, CRLF or CR and may be cut anywhere; comments, names and ids are skipped.
 * An event that the end of the stream left without its empty line is still given, because some
 * servers forget it. Throws AdapterError when one event is longer than `maxEventChars`.
 */
export async function* readSse(
  bytes: AsyncIterable<Uint8Array>,
  maxEventChars: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let line = ''
  let data: string[] = []
  let chars = 0
  let endedInCr = false

  for await (const chunk of bytes) {
    const decoded = decoder.decode(chunk, { stream: true })
    if (decoded === '') continue
    const text: string = endedInCr && decoded.startsWith('\n') ? decoded.slice(1) : decoded
    endedInCr = text.endsWith('\r')

    const pieces = text.split(/\r\n|\r|\n/)
    for (const [index, piece] of pieces.entries()) {
      line += piece
      chars += piece.length
      if (chars > maxEventChars) throw tooLong(maxEventChars)
      if (index === pieces.length - 1) break
      if (line !== '') {
        const value = dataOf(line)
        if (value === null) chars -= line.length
        else data.push(value)
        line = ''
        continue
      }
      if (data.length > 0) yield data.join('\n')
      data = []
      chars = 0
    }
  }

  const last = dataOf(line)
  if (last !== null) data.push(last)
  if (data.length > 0) yield data.join('\n')
}

function dataOf(line: string): string | null {
  if (line === 'data') return ''
  if (!line.startsWith('data:')) return null
  return line.startsWith('data: ') ? line.slice(6) : line.slice(5)
}

function tooLong(maxEventChars: number): AdapterError {
  return new AdapterError(`server-sent event longer than ${maxEventChars} characters`, {
    retryable: false,
  })
}
