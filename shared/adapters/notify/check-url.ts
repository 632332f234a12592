const MAX_URL_CHARS = 2_048

export type CheckedUrl =
  | { readonly kind: 'allowed'; readonly url: URL }
  | { readonly kind: 'refused'; readonly reason: string }

/**
 * What can be said of a user's URL without asking DNS (decisions 4); the addresses behind its name
 * are checked when it is connected to. `allowLoopback` admits http and this machine.
 */
export function checkUrl(text: string, options: { readonly allowLoopback: boolean }): CheckedUrl {
  if (text.length > MAX_URL_CHARS) return refused('URL is too long')
  const url = URL.parse(text)
  if (url === null) return refused('URL is not valid')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && options.allowLoopback)) {
    return refused('URL is not https')
  }
  if (url.username !== '' || url.password !== '') return refused('URL holds credentials')

  const host = url.hostname.replace(/\.$/, '')
  const isInternal = !host.includes('.') || /\.(local|internal|localhost)$/.test(host)
  const isIpv6 = host.startsWith('[')
  if (isInternal && !isIpv6 && !options.allowLoopback) return refused('URL names an internal host')
  return { kind: 'allowed', url }
}

function refused(reason: string): CheckedUrl {
  return { kind: 'refused', reason }
}
