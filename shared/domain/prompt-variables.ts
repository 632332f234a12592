/** `{{variable}}` in prompts and messages (reference/protocols-business.md 10). */

const PLACEHOLDER = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g

/**
 * Fills in a template in one pass: braces inside a value are never read again. What has no value is
 * kept as written (prompts) or left out (messages to people).
 */
export function renderTemplate(
  template: string,
  variables: Readonly<Record<string, string>>,
  options: { readonly onMissing: 'keep' | 'empty' },
): string {
  return template.replace(PLACEHOLDER, (placeholder, name: string) => {
    if (Object.hasOwn(variables, name)) return variables[name] ?? ''
    return options.onMissing === 'keep' ? placeholder : ''
  })
}

/** The names a template uses, each once, in order of appearance. */
export function listVariables(template: string): string[] {
  return [...new Set(Array.from(template.matchAll(PLACEHOLDER), ([, name]) => name as string))]
}
