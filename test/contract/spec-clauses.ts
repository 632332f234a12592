/**
 * The clauses of the interface specification that a test of the HTTP contract has to name: every row
 * of every table of sections 2, 4, 5 and 8, and the numbered rules of 4.1 and 5. A title names one
 * as `spec <section> <clause>`.
 */

const words = (text: string): string[] => text.trim().split(/\s+/)
const lines = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim())

export const SPEC_CLAUSES: Readonly<Record<string, readonly string[]>> = {
  '2.1': words(`
    id name organization_id type prompt prompt_flow position first_sentence first_sentence_mode
    first_sentence_delay_ms end_of_call_sentence max_call_duration_secs max_duration_end_message
    voicemail_message voicemail_sms_prompt after_call_sms_outcomes after_call_sms_prompt sms_enabled
    sms_template background_sound background_sound_volume thinking_sound thinking_sound_probability
    thinking_sound_volume voice llm_model stt_model stt_context tts_dictionary_pronunciation_id
    ivr_navigation_enabled human_transfer_mode transfer_destinations transfer_phone_number
    warm_transfer_summary_instructions custom_tools email_notification_address
    email_notification_outcomes webhook_url structured_output_config structured_output_prompt
    from_phone_number call_retry_config scheduling crm_a chat crm_b precall_lookup_url logo_url
    faq_items is_inbound_receptionist is_realestate_assistant pending_faq_count created_by created_at
    updated_at`),
  '2.2': words('id provider model speed volume'),
  '2.3': words('dedicated-instance router custom realtime'),
  '2.4': words('name description method url headers query_params body_template input_schema'),
  '2.5': words('name required type description enum_options'),
  '2.6': words(`
    allowed_days call_twice_in_a_row calling_windows calling_window_start_time
    calling_window_end_time retry_delay_seconds max_retry_attempts timezone`),
  '2.7': words(`
    id assistant_id name organization_id status is_cancelled created_at updated_at assistant
    call_retry_config from_phone_number max_concurrent_calls scheduled_at row_stats`),
  '2.8': words('id input_data phone_number row_index call'),
  '2.9': words(`
    id assignee assistant call_attempts last_call_attempt calls_count call_retry_config campaign
    contact created_at direction first_sentence_delay_ms from_phone_number to_phone_number
    is_cancelled is_completed llm_model metadata prompt_variables organization_id scheduled_at status
    updated_at next_call_at callback_from cancel_reason follow_up_emails outcome outcome_summary
    chat_channel_ids visual_number`),
  '2.10': words(`
    id phone_number status result dial_error recording_url started_at answered_at ended_at
    handled_by_ai handled_by_human handled_by_user assistants_used end_reason ended_by
    structured_output transcript post_call_transcript email_log sms_log speech_events
    transcript.content transcript.role transcript.tool_arguments transcript.tool_is_error
    transcript.tool_name transcript.tool_output speech_events.id speech_events.is_real_turn
    speech_events.speaker speech_events.started_speaking_at_ms speech_events.stopped_speaking_at_ms
    speech_events.transcript speech_events.stt_transcription_delay_ms speech_events.llm_system_prompt
    speech_events.llm_ttft_ms speech_events.llm_winner_model speech_events.tts_ttfb_ms
    speech_events.was_cut`),
  '2.11': words(`
    id phone_number label type source provider health_status health_checked_at spam_score
    inbound_assistant inbound_sip_uri outbound_trunk_id created_by created_at`),
  '2.12': words(`
    id email first_name last_name has_completed_onboarding organization_id created_at updated_at`),
  '4.1': lines(`
    POST /assistants
    GET /assistants
    GET /assistants/{id}
    PATCH /assistants/{id}
    DELETE /assistants/{id}
    POST /assistants/{id}/clone
    rule 1
    rule 2
    rule 3`),
  '4.2': lines(`
    POST /campaigns
    GET /campaigns
    GET /campaigns/{id}
    DELETE /campaigns/{id}
    POST /campaigns/{id}/cancel
    GET /campaigns/{id}/rows`),
  '4.3': lines(`
    GET /phone-numbers
    PATCH /phone-numbers/{id}
    DELETE /phone-numbers/{id}`),
  '4.4': lines(`
    POST /call
    GET /call/{id}
    POST /call/search
    POST /call/export
    POST /call/{id}/pause
    POST /call/{id}/resume
    POST /call/{id}/cancel
    GET /calls/phone-history
    phone_number
    assistant_id
    assistant
    concurrency
    force_now
    from_phone_number
    metadata
    prompt_variables
    scheduled_at
    GET /voices`),
  '4.5': lines(`
    GET /users/me
    PATCH /users/me`),
  '5': words('1 2 3'),
  '8': lines(`
    max_duration_end_message length
    transfer destination label length
    voice speed
    voice volume
    sound volumes and thinking_sound_probability
    retry_delay_seconds
    max_retry_attempts
    first_sentence_delay_ms default
    campaign max_concurrent_calls
    call concurrency.max`),
}
