import type { OperationId } from './routes.ts'

/** What a request may look like; the rest of each body is optional. */
export const BODY_EXAMPLES: { readonly [Id in OperationId]?: unknown } = {
  createAssistant: {
    name: 'Ava',
    prompt: 'You are Ava of Example Dental. Ask {{first_name}} whether Tuesday still suits.',
    first_sentence: 'Hello, this is Ava from Example Dental. Is this {{first_name}}?',
    first_sentence_mode: 'static',
    voicemail_message: 'This is Ava from Example Dental. Please call us back.',
    structured_output_config: [
      { name: 'confirmed', required: true, type: 'boolean', description: 'Tuesday still suits' },
    ],
    webhook_url: 'https://example.com/hooks/calls',
  },
  createCall: {
    phone_number: '+12025550100',
    assistant_id: 'asst_01JJZ8N4Q3V7C2X9W5T1R6K0MB',
    prompt_variables: { first_name: 'Grace' },
    metadata: { appointment: '4711' },
  },
  forecastCampaign: {
    rows_by_zone: { 'America/New_York': 12_000, 'America/Los_Angeles': 8_000 },
    max_concurrent_calls: 50,
    answer_rate: 0.35,
    answered_call_secs: 90,
  },
  createCampaign: {
    name: 'Recall March',
    assistant_id: 'asst_01JJZ8N4Q3V7C2X9W5T1R6K0MB',
    contacts: [
      { to_phone_number: '+12025550100', prompt_variables: { first_name: 'Grace' } },
      { to_phone_number: '+12025550111', prompt_variables: { first_name: 'Alan' } },
    ],
    max_concurrent_calls: 20,
  },
  searchCalls: { statuses: ['completed'], outcomes: ['interested'], limit: 50 },
  createWebhookEndpoint: {
    url: 'https://example.com/hooks/events',
    event_kinds: ['call.completed'],
  },
  createApiKey: { name: 'Nightly import', scopes: ['campaigns:write'] },
}
