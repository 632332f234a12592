import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'

import { sha256 } from '#functions/campaigns/sha256.ts'
import { fileContactUploads } from '#shared/adapters/local/file-contact-uploads.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { addRowStats, NO_ROWS, rowStatsDelta } from '#shared/domain/campaign/row-stats.ts'
import type { CallStore } from '#shared/ports/call-store.ts'
import { workOnCampaign } from '#shared/use-cases/work-on-campaign.ts'
import { campaignStage } from '#test/support/campaign-stage.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

/**
 * `node test/benchmark/dialler/import-memory.ts --rows 1000000`: imports an uploaded file of so many
 * contacts step by step, as the function does, and prints what memory this process needed at its
 * most. What is stored is only counted here: the table is not part of the process.
 */

const NOW = Date.parse('2026-11-18T15:00:00Z')
const BAD_EVERY = 1_000
const LINES_PER_PIECE = 10_000
const MB = 1_048_576

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } })
const rows = Number(values.rows)
const folder = await mkdtemp(path.join(tmpdir(), 'parley-import-'))
try {
  const file = path.join(folder, 'org_1', 'upl_1')
  await mkdir(path.dirname(file), { recursive: true })
  await pipeline(Readable.from(pieces()), createWriteStream(file))
  console.log(JSON.stringify(await importAll(file)))
} finally {
  await rm(folder, { recursive: true, force: true })
}

function* pieces(): Generator<string> {
  yield 'to_phone_number,first_name,appointment\n'
  for (let from = 0; from < rows; from += LINES_PER_PIECE) {
    const count = Math.min(LINES_PER_PIECE, rows - from)
    yield Array.from({ length: count }, (_, index) => lineOf(from + index)).join('')
  }
}

function lineOf(index: number): string {
  const number = index % BAD_EVERY === 7 ? 'nobody' : `+1${2_020_000_000 + index}`
  return `${number},Person ${index},"Tuesday, 10:30"\n`
}

async function importAll(file: string) {
  const { ports: inMemory, world } = useCasePorts(NOW)
  const counted = { stats: NO_ROWS }
  const calls = { ...inMemory.calls, ...countingCalls(counted) }
  const contactUploads = fileContactUploads({ folder, baseUrl: 'http://uploads' })
  const ports = { ...inMemory, calls, contactUploads }
  const stage = await campaignStage(ports)
  const uploadId = 'upl_1'
  const { id } = await stage.create(0, { contacts: { kind: 'uploaded', uploadId } })
  const memory: number[] = []
  const startedAt = performance.now()
  for (;;) {
    const { isImported } = await stage.campaign(id)
    if (isImported) break
    await workOnCampaign(ports, { campaignId: id, hash: sha256 })
    world.sent.length = 0
    memory.push(process.memoryUsage.rss())
  }
  const secs = (performance.now() - startedAt) / 1_000
  const tenths = Array.from({ length: 10 }, (_, index) => {
    const from = Math.floor((memory.length * index) / 10)
    return Math.max(...memory.slice(from, Math.max(from + 1, (memory.length * (index + 1)) / 10)))
  })
  return {
    rows,
    fileMb: Math.round((await stat(file)).size / MB),
    imported: counted.stats.total,
    unusable: counted.stats.failed,
    rowsPerSec: Math.round(rows / secs),
    /** The most in each tenth of the time. */
    rssMb: tenths.map((bytes) => Math.round(bytes / MB)),
    peakRssMb: Math.round(process.resourceUsage().maxRSS / 1_024),
  }
}

/** Forgets the rows that it is given. */
function countingCalls(counted: { stats: typeof NO_ROWS }): Partial<CallStore> {
  const count = (order: CallOrder) => {
    counted.stats = addRowStats(counted.stats, rowStatsDelta(null, order))
  }
  return {
    findOrders: async () => [],
    createOrders: async (orders) => {
      for (const order of orders) count(order)
      return { kind: 'saved' }
    },
    rowStats: async () => counted.stats,
  }
}
