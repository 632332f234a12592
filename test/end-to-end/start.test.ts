import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'

import { afterAll, describe, expect, it } from 'vitest'

import { succeeded } from '#test/support/api-client.ts'
import { LocalStackProcess, startProgram, temporaryFolder } from '#test/support/local-stack.ts'
import { descendantsOf, survivorsOf } from '#test/support/process-tree.ts'
import { until } from '#test/support/until.ts'

const START = 'infra/local/start.ts'
const ASSISTANT = { name: 'Ava', prompt: 'You are Ava from Northwind Dental.' }

const folders: { remove(): void }[] = []
const newFolder = () => {
  const folder = temporaryFolder()
  folders.push(folder)
  return folder.path
}

afterAll(() => {
  for (const folder of folders) folder.remove()
})

/** A start that fails: what it says and its code. Throws when it goes on, or leaves a child. */
async function failureOf(args: readonly string[]) {
  const program = startProgram(START, args)
  const children = new Map<number, ReturnType<typeof descendantsOf>[number]>()
  const watch = setInterval(() => {
    for (const child of descendantsOf(program.pid)) children.set(child.pid, child)
  }, 50)
  const { code } = await program.exit
  clearInterval(watch)
  expect(survivorsOf([...children.values()])).toEqual([])
  expect(program.stdout()).toBe('')
  return { code, sentences: program.stderr().trim().split('\n') }
}

describe('a first start and a second one', () => {
  let data: string
  let assistantId: string
  let apiKey: string

  it('prints one line of JSON when ready, and leaves no process behind at SIGTERM', async () => {
    data = newFolder()
    const stack = await LocalStackProcess.start({ data })
    const { ready, program } = stack
    expect(Object.keys(ready).toSorted()).toEqual([
      'api_key',
      'base_url',
      'local_url',
      'webhook_inbox_url',
      'webhook_secret',
    ])
    expect(ready.base_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
    expect(ready.api_key).toMatch(/^vak_test_[0-9A-Za-z]{36}$/)
    expect(ready.webhook_secret).toMatch(/^whsec_/)
    const created = await succeeded(stack.api.createAssistant({ body: ASSISTANT }))
    assistantId = created.assistant.id
    apiKey = ready.api_key

    for (const name of ['%', '%2e%2e%2fstate.json', 'none.wav', '/']) {
      expect((await fetch(`${ready.local_url}/recordings/${name}`)).status).toBe(404)
    }

    const { port } = new URL(ready.base_url)
    const second = await failureOf(['--json', '--port', port, '--data', newFolder()])
    expect(second).toEqual({
      code: 1,
      sentences: [`Port ${port} is in use; choose another with --port, or 0 for a free one.`],
    })
    const shared = await failureOf(['--json', '--port', '0', '--data', data])
    expect(shared).toEqual({
      code: 1,
      sentences: [
        expect.stringMatching(/^The data folder .* is in use by another Parley; choose .*\.$/),
      ],
    })

    const children = descendantsOf(program.pid)
    expect(children.map(({ command }) => command).join('\n')).toMatch(/java/)
    expect(children.map(({ command }) => command).join('\n')).toMatch(/voice-runtime\.ts/)
    expect(await stack.stop('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(survivorsOf(children)).toEqual([])
    expect(program.stdout().trim().split('\n')).toHaveLength(1)
    expect(program.stderr()).toBe('')
  })

  it('tells people what to do, keeps what was stored, and ends as quietly at SIGINT', async () => {
    const program = startProgram(START, ['--port', '0', '--data', data])
    const text = await until('the welcome', () =>
      program.stdout().includes('Ctrl-C') ? program.stdout() : null,
    )
    for (const number of ['+12025550100', '+12025550105', '+12025550113'])
      expect(text).toContain(number)
    expect(text).toContain(apiKey)
    const baseUrl = /API +(http\S+)/.exec(text)![1]!
    const reference = /API reference +(http\S+)/.exec(text)![1]!
    expect((await fetch(reference)).status).toBe(200)
    const headers = { authorization: `Bearer ${apiKey}` }
    const known = await fetch(`${baseUrl}/assistants/${assistantId}`, { headers })
    expect(await known.json()).toMatchObject({ id: assistantId, ...ASSISTANT })

    const curl = /^curl -sS .*\/call .*$/m.exec(text)![0]
    const { stdout } = await promisify(execFile)('bash', ['-c', curl])
    const { id } = (JSON.parse(stdout) as { call: { id: string } }).call
    await until('the agent has spoken', async () => {
      const response = await fetch(`${baseUrl}/call/${id}`, { headers })
      const answer = (await response.json()) as {
        call: { last_call_attempt: { transcript: { role: string }[] } | null }
      }
      const transcript = answer.call.last_call_attempt?.transcript ?? []
      return transcript.find(({ role }) => role === 'assistant') ?? null
    })

    const children = descendantsOf(program.pid)
    expect(children.map(({ command }) => command).join('\n')).toMatch(/espeak/)
    program.kill('SIGINT')
    expect(await program.exit).toEqual({ code: 0, signal: null })
    expect(survivorsOf(children)).toEqual([])
  })
})

describe('a start that cannot be', () => {
  it('names a port that another program holds', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const failure = await failureOf(['--port', String(port), '--data', newFolder()])
    server.close()
    expect(failure).toEqual({
      code: 1,
      sentences: [`Port ${port} is in use; choose another with --port, or 0 for a free one.`],
    })
  })

  it.each([
    ['its secrets', 'state.json', 'state.json'],
    ['its database', 'dynamodb/shared-local-instance.db', 'dynamodb'],
  ])('names a data folder in which %s cannot be read', async (_, file, what) => {
    const data = newFolder()
    const damaged = path.join(data, file)
    mkdirSync(path.dirname(damaged), { recursive: true })
    writeFileSync(damaged, 'This is neither JSON nor a database. '.repeat(200))
    expect(await failureOf(['--json', '--port', '0', '--data', data])).toEqual({
      code: 1,
      sentences: [
        `The data folder ${data} is damaged (${what} cannot be read); delete it or choose another with --data.`,
      ],
    })
  })

  it.each([
    ['--port', 'http'],
    ['--voice', 'loud'],
    ['--speed', '0'],
    ['--ring-timeout', '-1'],
  ])('names an option %s that makes no sense', async (option, value) => {
    const { code, sentences } = await failureOf([option + '=' + value, '--data', newFolder()])
    expect(code).toBe(1)
    expect(sentences[0]).toBe(`${option} cannot be ${value}.`)
  })
})
