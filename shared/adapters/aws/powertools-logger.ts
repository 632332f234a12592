import { Logger as PowertoolsLogger } from '@aws-lambda-powertools/logger'

import type { LogFields, Logger } from '#shared/ports/logger.ts'

import { logRecord } from '../log-record.ts'

/** Structured logs for CloudWatch; the level comes from `POWERTOOLS_LOG_LEVEL`. */
export function powertoolsLogger(options: { readonly serviceName: string }): Logger {
  const logger = new PowertoolsLogger({ serviceName: options.serviceName })
  const entry =
    (level: keyof Logger) =>
    (message: string, fields: LogFields = {}) =>
      logger[level](message, logRecord(fields))
  return { info: entry('info'), warn: entry('warn'), error: entry('error') }
}
