import type { SQSEvent } from 'aws-lambda'
import { expect, it } from 'vitest'

import { queueHandler } from '#functions/middleware/queue.ts'
import type { Logger } from '#shared/ports/logger.ts'

/** A worker of `import` that does what it is told by the name of the campaign. */
function stage() {
  const worked: string[] = []
  const logged: string[] = []
  const log = (message: string) => void logged.push(message)
  const logger: Logger = { info: log, warn: log, error: log }
  const handle = queueHandler(
    {
      queue: 'import',
      run: async (_ports, { campaignId }, { count }) => {
        worked.push(`${campaignId} ${count}`)
        if (campaignId === 'camp_bad') throw new Error('no')
      },
    },
    () => ({ logger }),
  )
  const deliver = (...bodies: string[]) =>
    handle({
      Records: bodies.map((body, index) => ({
        messageId: `m${index}`,
        body,
        attributes: { ApproximateReceiveCount: String(index + 1) },
      })),
    } as unknown as SQSEvent)
  return { worked, logged, deliver }
}

const message = (campaignId: string) => JSON.stringify({ campaignId })
const failed = (...ids: string[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
})

it('only the messages of a batch that failed come again', async () => {
  const { worked, deliver } = stage()
  const answer = await deliver(message('camp_1'), message('camp_bad'), message('camp_3'))
  expect(answer).toEqual(failed('m1'))
  expect(worked.toSorted()).toEqual(['camp_1 1', 'camp_3 3', 'camp_bad 2'])
})

it.each(['{', '{"campaignId":""}', '{"campaignId":"camp_2","more":1}', 'null'])(
  'what nobody can read (%s) fails by itself, and is logged',
  async (body) => {
    const { worked, logged, deliver } = stage()
    expect(await deliver(message('camp_1'), body)).toEqual(failed('m1'))
    expect(worked).toEqual(['camp_1 1'])
    expect(logged).toEqual(['A message failed'])
  },
)

it('a batch in which everything fails is reported like any other', async () => {
  const { deliver } = stage()
  const { batchItemFailures } = await deliver(message('camp_bad'), '{')
  expect(batchItemFailures).toHaveLength(2)
})

it('a batch after a failed one begins anew', async () => {
  const { deliver } = stage()
  await deliver(message('camp_bad'))
  expect(await deliver(message('camp_1'))).toEqual(failed())
})
