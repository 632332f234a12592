import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** A certificate of this machine for a day, made by `openssl`; for fakes whose clients want TLS. */
export function newCertificate(): Certificate {
  const folder = mkdtempSync(path.join(tmpdir(), 'certificate-'))
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => path.join(folder, name)) as [
    string,
    string,
  ]
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1'
  const subject = ['-subj', '/CN=localhost', '-addext', names]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  try {
    execFileSync(
      'openssl',
      ['req', '-x509', '-days', '1', ...kind, ...subject, '-keyout', key, '-out', cert],
      { stdio: 'ignore' },
    )
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
