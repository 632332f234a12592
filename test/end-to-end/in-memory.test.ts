import { expect, it } from 'vitest'

import { LocalStackProcess } from '#test/support/local-stack.ts'
import { descendantsOf } from '#test/support/process-tree.ts'

it('works on a machine without Java, and says what that means', async () => {
  await using stack = await LocalStackProcess.start({
    environment: { ...process.env, PATH: '/nowhere' },
  })
  expect(stack.program.stderr().trim().split('\n')).toEqual([
    'DynamoDB Local needs Java 17 or newer, and this machine has none. ' +
      'Records are kept in memory and are gone at the end.',
  ])
  const { id } = await stack.placeCall({
    phone_number: '+12025550110',
    force_now: true,
    assistant: {
      prompt: 'You are Ava from Northwind Dental.',
      webhook_url: stack.ready.webhook_inbox_url,
    },
  })
  const call = await stack.callEnded(id)
  expect(call.status).toBe('completed')
  expect(call.last_call_attempt).toMatchObject({ result: 'human', ended_by: 'user' })
  await stack.advance(1)
  expect(await stack.webhooks(id)).toHaveLength(1)
  expect(descendantsOf(stack.program.pid)).toEqual([])
})
