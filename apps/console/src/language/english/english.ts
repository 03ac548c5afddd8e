/** The English texts of the console. Every other language has the same keys and placeholders: `Messages` is their type. */
import type { Format } from '../format.ts'
import { actionMessages } from './action.ts'
import { commonMessages } from './common.ts'
import { historyMessages } from './history.ts'
import { bulkMessages } from './list/bulk.ts'
import { filterMessages } from './list/filter.ts'
import { listMessages } from './list/list.ts'
import { viewMessages } from './list/view.ts'
import { overviewMessages } from './overview.ts'
import { problemMessages } from './problem.ts'
import { recordMessages } from './record.ts'
import { requestMessages } from './request.ts'
import { schemaMessages } from './schema.ts'
import { shellMessages } from './shell.ts'
import { usageMessages } from './usage.ts'
import { webhookMessages } from './webhook.ts'

export type Messages = ReturnType<typeof english>

export function english(format: Format) {
  return {
    action: actionMessages(format),
    bulk: bulkMessages(format),
    common: commonMessages,
    filter: filterMessages,
    history: historyMessages(format),
    list: listMessages(format),
    overview: overviewMessages(format),
    problem: problemMessages(format),
    record: recordMessages(format),
    request: requestMessages(format),
    schema: schemaMessages(format),
    shell: shellMessages(format),
    usage: usageMessages(format),
    view: viewMessages,
    webhook: webhookMessages(format),
  }
}
