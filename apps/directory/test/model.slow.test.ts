/** Random sequences of requests: the service on SQLite and a naive model in memory agree on every answer. */
import { open } from '@nomen/server'
import { directoryService } from '../src/index.ts'
import { modelSuite } from './model/suite.ts'

modelSuite('the directory on SQLite', (users) => open(directoryService({ users }), { database: 'sqlite::memory:' }))
