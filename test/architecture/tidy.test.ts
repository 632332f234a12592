import { readdirSync } from 'node:fs'
import path from 'node:path'

import { parseSync, Visitor } from 'oxc-parser'
import { describe, expect, test } from 'vitest'

import { importsOf, readSource, ROOT, sourceFiles } from './source-tree.ts'

const FUNCTION_LINES_MAX = 70
const FILE_LINES_MAX = 400

/** Files that may be longer, each with its reason. */
const LONG_FILES: Readonly<Record<string, string>> = {
  'shared/domain/time-zone-table.ts': 'generated table',
  'test/support/generated/parley-client.ts': 'generated client',
}

/** Functions that may be longer, as `file function`, each with its reason. */
const LONG_FUNCTIONS: Readonly<Record<string, string>> = {}

const production = sourceFiles().filter((file) => !file.startsWith('test/'))

interface FoundFunction {
  readonly name: string
  readonly lines: number
}

function functionsOf(file: string, source: string): FoundFunction[] {
  const found: FoundFunction[] = []
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length
  const add = (name: string, node: { start: number; end: number }) =>
    found.push({ name, lines: lineAt(node.end) - lineAt(node.start) + 1 })
  new Visitor({
    FunctionDeclaration: (node) => add(node.id?.name ?? 'function', node),
    FunctionExpression: (node) => add(node.id?.name ?? 'method', node),
    ArrowFunctionExpression: (node) => add('arrow', node),
  }).visit(parseSync(file, source).program)
  return found
}

describe('sizes', () => {
  test(`functions have at most ${FUNCTION_LINES_MAX} lines`, () => {
    const long = production.flatMap((file) =>
      functionsOf(file, readSource(file))
        .filter(({ lines }) => lines > FUNCTION_LINES_MAX)
        .filter(({ name }) => LONG_FUNCTIONS[`${file} ${name}`] === undefined)
        .map(({ name, lines }) => `${file} ${name}: ${lines} lines`),
    )
    expect(long).toEqual([])
  })

  test(`files have at most ${FILE_LINES_MAX} lines`, () => {
    const long = sourceFiles()
      .map((file) => ({ file, lines: readSource(file).split('\n').length - 1 }))
      .filter(({ file, lines }) => lines > FILE_LINES_MAX && LONG_FILES[file] === undefined)
    expect(long).toEqual([])
  })

  test('the function finder sees a long one', () => {
    const body = Array.from({ length: 80 }, () => '  void 0').join('\n')
    expect(functionsOf('x.ts', `function f() {\n${body}\n}`)).toEqual([{ name: 'f', lines: 82 }])
  })
})

describe('names', () => {
  test('no room for leftovers: utils, helpers, common, types, lib, barrels', () => {
    const named = sourceFiles().filter((file) =>
      /(^|\/)(utils?|helpers?|common|types?|lib|index)(\.ts|\/)/.test(file),
    )
    expect(named).toEqual([])
  })

  test('files are named in kebab-case', () => {
    const odd = sourceFiles().filter(
      (file) => !/^[a-z0-9-]+(\.(test|suite|bench|config))?\.ts$/.test(path.basename(file)),
    )
    expect(odd).toEqual([])
  })

  test('nothing stands at the top level without need', () => {
    const allowed = new Set([
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      'cdk.json',
      'cdk.context.json',
      'vitest.config.ts',
      'README.md',
      'LICENSE',
      'infra',
      'functions',
      'shared',
      'voice-runtime',
      'test',
      'node_modules',
      'cdk.out',
      'coverage',
    ])
    const odd = readdirSync(ROOT).filter((name) => !name.startsWith('.') && !allowed.has(name))
    expect(odd).toEqual([])
  })
})

describe('dead code', () => {
  /** Files that something other than an import starts: package scripts, Lambda, CDK. */
  const entries = [
    /^infra\/(app|local\/[a-z-]+|generate\/[a-z-]+)\.ts$/,
    /^functions\/.*\.ts$/,
    /^voice-runtime\/(main|media-thread)\.ts$/,
    /^shared\/adapters\/tts\/espeak-program\.ts$/,
  ]

  /** Rules that stand complete before the operations that use them. */
  const waiting = [/^shared\/domain\/notifications\.ts$/]

  test('every file is imported by the product', () => {
    const imported = new Set(production.flatMap((file) => importsOf(file)))
    const dead = production.filter(
      (file) =>
        !imported.has(file) && ![...entries, ...waiting].some((pattern) => pattern.test(file)),
    )
    expect(dead).toEqual([])
  })
})
