import type { Assistant, AssistantSettings } from '#shared/domain/assistant.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import {
  findFaqAnswers,
  LEAVE_QUESTION_TOOL,
  LOOK_UP_FAQ_TOOL,
  withOpenQuestion,
} from '#shared/domain/faq.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import type { ToolAnswer } from './call-custom-tool.ts'
import { changeRecord } from './change-record.ts'

export type FaqPorts = Pick<ServicePorts, 'assistants' | 'clock' | 'ids'>

/** Looks a question up in the FAQ of the assistant, or keeps one that nothing there answers (spec 2.1). */
export async function callFaqTool(
  ports: FaqPorts,
  input: {
    readonly name: string
    /** As the model wrote them. */
    readonly argumentsJson: string
    readonly assistant: AssistantSettings
    readonly order: CallOrder
  },
): Promise<ToolAnswer> {
  const question = questionIn(input.argumentsJson)
  if (question === null) return { output: 'Expected {"question": "..."}.', isError: true }
  if (input.name === LOOK_UP_FAQ_TOOL.name) {
    const found = findFaqAnswers(input.assistant.faqItems, question)
    if (found.length > 0) return { output: asText(found), isError: false }
  }
  await keepQuestion(ports, input.order, question)
  const output = 'Nothing is known about it. The question was kept; a colleague will answer it.'
  return { output, isError: false }
}

function questionIn(argumentsJson: string): string | null {
  try {
    const written = JSON.parse(argumentsJson) as { question?: unknown } | null
    const question = written?.question
    return typeof question === 'string' && question.trim() !== '' ? question : null
  } catch {
    return null
  }
}

function asText(found: AssistantSettings['faqItems']): string {
  const entries = found.map(({ question, answer }) => `Question: ${question}\nAnswer: ${answer}`)
  const ifNone = `If none of these answers it, call ${LEAVE_QUESTION_TOOL.name}.`
  return [...entries, ifNone].join('\n\n')
}

/** An assistant that came with the order itself has nobody who would answer later. */
async function keepQuestion(ports: FaqPorts, order: CallOrder, question: string): Promise<void> {
  if (order.assistant.kind !== 'stored') return
  const { assistantId } = order.assistant
  const faqId = ports.ids.next('faq')
  await changeRecord<Assistant, 'known'>(
    ports.assistants,
    { organizationId: order.organizationId, id: assistantId },
    (current) => {
      const faqItems = withOpenQuestion(current.faqItems, { id: faqId, question })
      if (faqItems === null) return { kind: 'refused', refusal: 'known' }
      const pendingFaqCount = faqItems.filter(({ needsHumanAnswer }) => needsHumanAnswer).length
      return {
        kind: 'changed',
        record: { ...current, faqItems, pendingFaqCount, updatedAt: ports.clock.now() },
      }
    },
  )
}
