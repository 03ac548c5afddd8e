/** The lower bound of work: SQLite builds the text, totals are cached, nothing is checked. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { openDatabase, sendResponse, serve } from './serve.ts'

const database = openDatabase({ isChecked: false })

function prepare(sql: string) {
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}

const record = `json_object('id', id, 'firstName', firstName, 'lastName', lastName, 'email', email, 'phone', phone,
  'extension', extension, 'status', status, 'department', department, 'supervisor', supervisor, 'created', created,
  'lastUpdated', lastUpdated)`
// A bare parameter after limit would be planned again at every run. The subquery finds the IDs in an index before records are read.
const page = (where: string) => `select
  json_group_array(json_object('id', user.id, 'firstName', firstName, 'lastName', lastName, 'email', email))
  from (select id from user ${where} order by id limit cast(? as integer) offset cast(? as integer)) as page
  cross join user on user.id = page.id`

const readOne = prepare(`select ${record} from user where id = ?`)
const readPage = prepare(page(''))
const readFiltered = prepare(page('where status = ? and department = ?'))
const changePhone = prepare(
  `update user set phone = ?, lastUpdated = ?, updatedBy = null, _version = _version + 1 where id = ? returning ${record}`,
)

// Counted once at start: the requests of the benchmark do not change the number of records.
const total = Number(prepare('select count(*) from user').get()?.[0])
const totals = new Map<string, number>()
for (const row of prepare('select status, department, count(*) from user group by 1, 2').all()) {
  const [status, department, number] = row as unknown as [string, number, number]
  totals.set(`${status} ${department}`, number)
}

interface Change {
  readonly id: number
  readonly phone: string
  readonly response: ServerResponse
}
let pendingChanges: Change[] = []

serve((request, response) => {
  const url = request.url as string
  if (request.method === 'PATCH') readChange(request, response)
  else if (url.startsWith('/user/')) sendResponse(response, 200, readOne.get(Number(url.slice(6)))?.[0] as string)
  else sendResponse(response, 200, list(url))
})

function list(url: string): string {
  const parameters: Record<string, string> = {}
  for (const part of url.slice(url.indexOf('?') + 1).split('&')) {
    const equals = part.indexOf('=')
    parameters[part.slice(0, equals)] = part.slice(equals + 1)
  }
  const [size, number] = [Number(parameters.pageSize), Number(parameters.pageNumber ?? 1)]
  const { status, department } = parameters
  const skipped = (number - 1) * size
  const isFiltered = status !== undefined && department !== undefined
  const row = isFiltered ? readFiltered.get(status, department, size, skipped) : readPage.get(size, skipped)
  const count = isFiltered ? (totals.get(`${status} ${department}`) ?? 0) : total
  const results = row?.[0]
  return `{"pageInfo":{"pageSize":${size},"pageNumber":${number},"numberOfPages":${Math.ceil(count / size)},"numberOfRecords":${count}},"results":${results}}`
}

function readChange(request: IncomingMessage, response: ServerResponse): void {
  request.once('data', (body: Buffer) => {
    if (pendingChanges.length === 0) setImmediate(commit)
    pendingChanges.push({ id: Number(request.url?.slice(6)), phone: JSON.parse(`${body}`).phone, response })
  })
}

/** Group commit for the changes of one tick, as in the service: otherwise only the disk would be measured. */
function commit(): void {
  const changes = pendingChanges
  pendingChanges = []
  const now = new Date().toISOString()
  database.exec('begin immediate')
  const bodies = changes.map(({ id, phone }) => changePhone.get(phone, now, id)?.[0] as string)
  database.exec('commit')
  changes.forEach(({ response }, index) => {
    sendResponse(response, 200, bodies[index] as string)
  })
}
