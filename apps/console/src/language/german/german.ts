/** The German texts of the console. */
import type { Messages } from '../english/english.ts'
import type { Format } from '../format.ts'
import { actionMessages as action } from './action.ts'
import { commonMessages as common } from './common.ts'
import { historyMessages as history } from './history.ts'
import { bulkMessages as bulk } from './list/bulk.ts'
import { filterMessages as filter } from './list/filter.ts'
import { listMessages as list } from './list/list.ts'
import { viewMessages as view } from './list/view.ts'
import { overviewMessages as overview } from './overview.ts'
import { problemMessages as problem } from './problem.ts'
import { recordMessages as record } from './record.ts'
import { requestMessages as request } from './request.ts'
import { schemaMessages as schema } from './schema.ts'
import { shellMessages as shell } from './shell.ts'
import { usageMessages as usage } from './usage.ts'
import { webhookMessages as webhook } from './webhook.ts'

export function german(format: Format): Messages {
  return {
    shell: shell(format),
    list: list(format),
    record: record(format),
    overview: overview(format),
    schema: schema(format),
    usage: usage(format),
    webhook: webhook(format),
    history: history(format),
    action: action(format),
    request: request(format),
    bulk: bulk(format),
    problem: problem(format),
    common,
    filter,
    view,
  }
}
