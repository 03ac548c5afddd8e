/** Opens SQLite the same way everywhere, with the same behavior on every supported version of Node. */
import type * as sqlite from 'node:sqlite'

/** Node 22 warns that SQLite is experimental. A static import would print the warning before our code runs. */
function loadSqlite(): typeof sqlite {
  const { emitWarning } = process
  process.emitWarning = (warning: string | Error, ...args: unknown[]) => {
    if (`${warning}`.startsWith('SQLite is an experimental feature')) return
    Reflect.apply(emitWarning, process, [warning, ...args])
  }
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

const { DatabaseSync, backup } = loadSqlite()

export { backup }

/** Whether numbers survive JSON unchanged. The SQLite of Node 22 uses 15 digits, and some numbers need 17. */
export const isExact: boolean = `${process.versions.sqlite}`.localeCompare('3.53', 'en', { numeric: true }) >= 0

export function openSqlite(path: string, options: sqlite.DatabaseSyncOptions = {}): sqlite.DatabaseSync {
  const database = new DatabaseSync(path, options)
  if (!isExact) {
    database.function('number_text', { deterministic: true }, (value) => JSON.stringify(value))
    database.function('text_number', { deterministic: true }, (text) =>
      typeof text === 'string' ? Number(text) : null,
    )
  }
  return database
}
