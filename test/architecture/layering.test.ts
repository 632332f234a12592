import { describe, expect, test } from 'vitest'

import { importsOf, sourceFiles } from './source-tree.ts'

interface Room {
  /** What belongs to it. The first room that matches a file is the file's room. */
  readonly files: RegExp
  /** What it may import, beside its own files. */
  readonly may: readonly RegExp[]
}

const PURE = [/^shared\/domain\//, /^shared\/audio\//]
const ANYTHING = [/./]

/** Who may import whom: the table of the architecture, as data. */
const ROOMS: Readonly<Record<string, Room>> = {
  'the domain clock': { files: /^shared\/domain\/time\.ts$/, may: [/^temporal-polyfill$/] },
  'the numbering plan': {
    files: /^shared\/domain\/(e164|numbering-plan)\.ts$/,
    may: [/^libphonenumber-js$/],
  },
  domain: { files: /^shared\/domain\//, may: [/^shared\/domain\//] },
  audio: { files: /^shared\/audio\//, may: [] },
  contract: { files: /^shared\/contract\//, may: [/^shared\/domain\//, /^zod$/] },
  ports: { files: /^shared\/ports\//, may: [/^shared\/domain\//] },
  'use cases': { files: /^shared\/use-cases\//, may: [/^shared\/domain\//, /^shared\/ports\//] },
  data: {
    files: /^shared\/data\//,
    may: [...PURE, /^shared\/ports\//, /^@aws-sdk\//, /^@smithy\//, /^node:/],
  },
  'the espeak program': {
    files: /^shared\/adapters\/tts\/espeak-program\.ts$/,
    may: [/^espeak-ng$/, /^node:/],
  },
  adapters: {
    files: /^shared\/adapters\//,
    may: [
      ...PURE,
      /^shared\/ports\//,
      /^node:/,
      /^@aws-sdk\//,
      /^@aws-lambda-powertools\//,
      /^onnxruntime-node$/,
      /^request-filtering-agent$/,
      /^standardwebhooks$/,
      /^ws$/,
    ],
  },
  engine: {
    files: /^voice-runtime\/engine\//,
    may: [...PURE, /^voice-runtime\/media\//],
  },
  media: { files: /^voice-runtime\/media\//, may: PURE },
  wire: { files: /^voice-runtime\/wire\//, may: PURE },
  'media worker': {
    files: /^voice-runtime\/media-worker\//,
    may: [...PURE, /^shared\/ports\//, /^voice-runtime\/(media|wire)\//, /^node:/, /^ws$/],
  },
  session: {
    files: /^voice-runtime\/session\//,
    may: [
      ...PURE,
      /^shared\/contract\//,
      /^shared\/ports\//,
      /^shared\/use-cases\//,
      /^voice-runtime\/(engine|media|media-worker)\//,
      /^node:/,
    ],
  },
  'places of composition': {
    files:
      /^(functions\/compose\.ts|voice-runtime\/(main|media-thread)\.ts|infra\/local\/.*|infra\/generate\/.*)$/,
    may: ANYTHING,
  },
  functions: {
    files: /^functions\//,
    may: [
      ...PURE,
      /^shared\/contract\//,
      /^shared\/ports\//,
      /^shared\/use-cases\//,
      /^functions\//,
      /^@middy\/core$/,
      /^@aws-lambda-powertools\//,
      /^aws-lambda$/,
      /^zod$/,
      /^node:/,
    ],
  },
  infra: {
    files: /^infra\//,
    may: [
      /^shared\/contract\/routes?\.ts$/,
      /^shared\/data\/table\.ts$/,
      /^shared\/ports\/queue-definitions\.ts$/,
      /^aws-cdk-lib$/,
      /^constructs$/,
      /^cdk-nag$/,
      /^node:/,
    ],
  },
  tests: { files: /^test\//, may: ANYTHING },
}

function roomOf(file: string): [name: string, room: Room] {
  const found = Object.entries(ROOMS).find(([, room]) => room.files.test(file))
  if (found === undefined) throw new Error(`${file} stands in no room`)
  return found
}

function violationsOf(file: string, imports: readonly string[]): string[] {
  const [name, room] = roomOf(file)
  const allowed = [room.files, ...room.may]
  return imports
    .filter((target) => !allowed.some((pattern) => pattern.test(target)))
    .map((target) => `${file} (${name}) may not import ${target}`)
}

describe('who may import whom', () => {
  test('every import stays within the table', () => {
    const violations = sourceFiles().flatMap((file) => violationsOf(file, importsOf(file)))
    expect(violations).toEqual([])
  })

  test.each([
    ['shared/domain/x.ts', "import { z } from 'zod'"],
    ['shared/use-cases/x.ts', "import '#shared/data/table.ts'"],
    ['shared/data/x.ts', "export * from '#shared/use-cases/place-call.ts'"],
    ['voice-runtime/engine/x.ts', "import type { Clock } from '#shared/ports/clock.ts'"],
    ['functions/api/x.ts', "const x = await import('#shared/data/table.ts')"],
    ['infra/stacks/x.ts', "import { placeCall } from '#shared/use-cases/place-call.ts'"],
    ['shared/adapters/x.ts', "import '../data/table.ts'"],
  ])('a planted violation in %s is found', (file, source) => {
    expect(violationsOf(file, importsOf(file, source))).toHaveLength(1)
  })

  test('nothing but tests imports tests', () => {
    const guilty = sourceFiles()
      .filter((file) => !file.startsWith('test/'))
      .filter((file) => importsOf(file).some((target) => target.startsWith('test/')))
    expect(guilty).toEqual([])
  })
})
