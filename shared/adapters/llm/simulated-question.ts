/** One thing that a conversation has to find out. */
export interface Topic {
  readonly name: string
  /** As in a structured output field. */
  readonly type: string
  readonly description: string
  readonly options: readonly string[]
}

const GENERIC_QUESTIONS = [
  'Would you like to hear more about it?',
  'Which day would suit you best?',
]

/**
 * The questions that a prompt asks for, in its order: lines `Ask: question` and lines
 * `- name (type): description`, as `describeFields` writes them. Two generic ones when there are none.
 */
export function questionsIn(prompt: string): readonly string[] {
  const questions = prompt.split('\n').flatMap((line) => {
    const asked = /^\W*Ask: *(.+)$/i.exec(line)
    if (asked?.[1]) return [asQuestion(asked[1])]
    const topic = topicIn(line)
    return topic ? [questionFor(topic)] : []
  })
  return questions.length > 0 ? questions : GENERIC_QUESTIONS
}

function topicIn(line: string): Topic | null {
  const [, name, kind, description] =
    /^\s*[-*] ([A-Za-z]\w*) \(([^)]*)\)(?::\s*(.*))?$/.exec(line) ?? []
  if (name === undefined || kind === undefined) return null
  const [type = '', ...rest] = kind.split(/[:,]/)
  const options = rest.join(',').split('|')
  return {
    name,
    type: type.trim(),
    description: description?.trim() ?? '',
    options: type.trim() === 'enum' ? options.map((option) => option.trim()) : [],
  }
}

/** The question that finds a topic out. The same topic always gives the same question. */
export function questionFor(topic: Topic): string {
  if (topic.description.endsWith('?')) return topic.description
  const words = wordsOf(topic.name).join(' ')
  if (topic.type === 'boolean') return yesNoQuestion(words, topic.description)
  const options = topic.options.filter((option) => option !== '')
  return options.length > 0
    ? `What is your ${words}: ${options.map(spoken).join(', or ')}?`
    : `What is your ${words}?`
}

/** The words of an identifier: `preferred_day` and `preferredDay` alike. */
export function wordsOf(name: string): string[] {
  return spoken(name).toLowerCase().split(' ').filter(Boolean)
}

const YES_NO_FORMS: readonly (readonly [RegExp, (rest: string) => string])[] = [
  [/^(?:wants?|would like)( to)? (.+)$/, (rest) => `Would you like ${rest}?`],
  [/^(?:is )?interested( in)? (.+)$/, (rest) => `Are you interested in ${rest}?`],
  [/^(?:is|are)() (.+)$/, (rest) => `Are you ${rest}?`],
  [/^(?:has|have)() (.+)$/, (rest) => `Do you have ${rest}?`],
  [/^can() (.+)$/, (rest) => `Can you ${rest}?`],
]

function yesNoQuestion(words: string, description: string): string {
  for (const [form, question] of YES_NO_FORMS) {
    const [, to, rest] = form.exec(words) ?? []
    if (rest === undefined) continue
    if (to === ' to') return question(`to ${rest}`)
    return question(/^(?:Would|Do)/.test(question('')) ? `${article(rest)} ${rest}` : rest)
  }
  return `Please tell me, yes or no: ${asQuestion(description || words)}`
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? 'an' : 'a'
}

function asQuestion(text: string): string {
  const trimmed = text.trim()
  return /[.?!]$/.test(trimmed) ? trimmed : `${trimmed}?`
}

function spoken(identifier: string): string {
  return identifier.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ')
}
