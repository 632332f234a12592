import type { FieldError } from './problem.ts'

/** What of a body names addresses that this service itself will call. */
interface Addresses {
  readonly url?: string | undefined
  readonly webhook_url?: string | null | undefined
  readonly precall_lookup_url?: string | null | undefined
  readonly custom_tools?: readonly { readonly url: string }[] | null | undefined
  readonly llm_model?: { readonly type: string; readonly api_url?: string } | undefined
}

/** The addresses that are not encrypted; they are refused outside the local stack (decisions 4). */
export function plainHttpErrors(addresses: Addresses, pointer = ''): FieldError[] {
  const candidates: readonly (readonly [string, string | null | undefined])[] = [
    ['/url', addresses.url],
    ['/webhook_url', addresses.webhook_url],
    ['/precall_lookup_url', addresses.precall_lookup_url],
    ['/llm_model/api_url', addresses.llm_model?.api_url],
    ...(addresses.custom_tools ?? []).map(
      ({ url }, index) => [`/custom_tools/${index}/url`, url] as const,
    ),
  ]
  return candidates
    .filter(([, url]) => url?.trim().toLowerCase().startsWith('http:'))
    .map(([place]) => ({
      pointer: pointer + place,
      code: 'https_required',
      detail: 'Expected an https URL',
    }))
}
