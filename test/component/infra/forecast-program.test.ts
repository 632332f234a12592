import { writeFileSync } from 'node:fs'
import path from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import { startProgram, temporaryFolder } from '#test/support/local-stack.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

function fileWith(name: string, text: string): string {
  const file = path.join(folder.path, name)
  writeFileSync(file, text)
  return file
}

async function forecast(...args: string[]) {
  const program = startProgram('infra/local/forecast.ts', args)
  const { code } = await program.exit
  return { code, stdout: program.stdout(), stderr: program.stderr() }
}

const CONTACTS = 'to_phone_number,first_name\n+12025550100,Sam\n+12025550101,Alex\n'

describe('npm run forecast', () => {
  it('tells when the contacts of a file would be called', async () => {
    const file = fileWith('contacts.csv', CONTACTS)
    const { code, stdout } = await forecast(file, '--answer-rate', '1')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ rows: 2, attempts: 2, reached: 2 })
  })

  it.each([
    ['a file that is not there', ['none.csv'], 'none.csv cannot be read.'],
    ['a file without numbers', [fileWith('a.csv', 'name\nSam\n')], 'column to_phone_number'],
    ['a body that is no JSON', [fileWith('a.json', '{')], 'a.json is not a JSON object.'],
    ['an option that there is not', ['--fast'], "Unknown option '--fast'"],
    [
      'an option that makes no sense',
      [fileWith('b.csv', CONTACTS), '--max-concurrent-calls', 'many'],
      'max-concurrent-calls',
    ],
  ])('names %s, without a stack', async (_, args, named) => {
    const { code, stdout, stderr } = await forecast(...args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(named)
    expect(stderr).not.toMatch(/^ {4}at /m)
  })
})
