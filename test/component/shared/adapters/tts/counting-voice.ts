/** In place of the espeak program: answers each order with how many there were. */

import { createInterface } from 'node:readline'

let orders = 0
for await (const line of createInterface({ input: process.stdin })) {
  orders += 1
  const { id } = JSON.parse(line) as { id: number }
  process.stdout.write(`${JSON.stringify({ id, error: `order ${orders}` })}\n`)
}
