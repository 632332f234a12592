import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import type { Certificate } from './vendor-fakes.ts'

/** A certificate of `localhost` for this run; `file` holds it for those who are to trust it. */
export function newCertificate(): Certificate & { readonly file: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'certificate-'))
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => path.join(folder, name)) as [
    string,
    string,
  ]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync(
    'openssl',
    ['req', '-x509', '-days', '1', ...kind, ...subject, '-keyout', key, '-out', cert],
    {
      stdio: 'ignore',
    },
  )
  return { file: cert, cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
}
