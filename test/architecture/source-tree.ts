import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { parseSync } from 'oxc-parser'

export const ROOT = path.resolve(import.meta.dirname, '../..')

const ROOMS = ['shared', 'functions', 'voice-runtime', 'infra', 'test']

/** Every TypeScript file of the project, as a path from its root. */
export function sourceFiles(): string[] {
  return ROOMS.flatMap((room) =>
    readdirSync(path.join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter(
        (file) => file.endsWith('.ts') && !file.includes('node_modules') && !/\bdist\//.test(file),
      )
      .map((file) => `${room}/${file}`),
  )
}

export function readSource(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8')
}

/** Where a file reaches: project files by their path from the root, packages by their name. */
export function importsOf(file: string, source = readSource(file)): string[] {
  const { module } = parseSync(file, source)
  const specifiers = [
    ...module.staticImports.map((entry) => entry.moduleRequest.value),
    ...module.staticExports.flatMap((entry) =>
      entry.entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
    ),
    ...module.dynamicImports.flatMap(({ moduleRequest }) => {
      const text = source.slice(moduleRequest.start, moduleRequest.end)
      return /^['"].*['"]$/.test(text) ? [text.slice(1, -1)] : []
    }),
  ]
  return [...new Set(specifiers.map((specifier) => resolve(file, specifier)))]
}

const ALIASES: Readonly<Record<string, string>> = {
  '#shared/': 'shared/',
  '#functions/': 'functions/',
  '#voice/': 'voice-runtime/',
  '#infra/': 'infra/',
  '#test/': 'test/',
}

function resolve(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(from), specifier)
  for (const [alias, folder] of Object.entries(ALIASES)) {
    if (specifier.startsWith(alias)) return folder + specifier.slice(alias.length)
  }
  if (specifier.startsWith('node:')) return specifier
  const [scope = '', name] = specifier.split('/')
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}
