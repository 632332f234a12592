import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'

const compress = promisify(gzip)

/** Smaller answers are not worth the time. */
const WORTHWHILE_BYTES = 65_536

/** Lambda hands out at most 6 MB, of which the body is one string inside JSON. */
const PLAIN_BYTES_MAX = 6_000_000

/**
 * An answer with its body packed (gzip), where it is large and the client can unpack it; also where
 * a client said nothing of that and Lambda could not hand it out plain: the speech events of a long
 * call repeat the whole prompt with every turn, and pack a hundredfold.
 */
export async function packAnswer(
  result: APIGatewayProxyStructuredResultV2,
  acceptEncoding: string | undefined,
): Promise<APIGatewayProxyStructuredResultV2> {
  const { body = '', headers } = result
  if (body.length < WORTHWHILE_BYTES || result.isBase64Encoded === true) return result
  const varying = { ...result, headers: { ...headers, vary: 'accept-encoding' } }
  const isPacked =
    acceptsGzip(acceptEncoding) || Buffer.byteLength(JSON.stringify(body)) > PLAIN_BYTES_MAX
  if (!isPacked) return varying
  return {
    ...varying,
    headers: { ...varying.headers, 'content-encoding': 'gzip' },
    body: (await compress(body)).toString('base64'),
    isBase64Encoded: true,
  }
}

/** Whether a client says that it unpacks gzip. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return /\bgzip\b/i.test(acceptEncoding ?? '')
}
