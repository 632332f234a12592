import { existsSync } from 'node:fs'

import { type Browser, launch } from 'puppeteer-core'

const USUAL_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Starts the Chromium of this machine without a window; `CHROMIUM_PATH` says where it stands. */
export function startBrowser(): Promise<Browser> {
  // Its sandbox wants rights that a container seldom has; only pages of our own are opened.
  return launch({ executablePath: chromiumPath(process.env), args: ['--no-sandbox'] })
}

/** Throws a sentence that says what to do when there is no Chromium. */
export function chromiumPath(
  environment: NodeJS.ProcessEnv,
  exists: (path: string) => boolean = existsSync,
): string {
  const named = environment['CHROMIUM_PATH']
  const found = (named === undefined ? USUAL_PATHS : [named]).find((path) => exists(path))
  if (found !== undefined) return found
  throw new Error(
    `There is no Chromium at ${named ?? 'the usual places'}: install it ` +
      '(Debian: apt-get install chromium) or set CHROMIUM_PATH to its program',
  )
}
