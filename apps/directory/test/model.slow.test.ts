/** Random sequences of requests: the service and a naive model in memory agree on every response. */
import { modelSuite } from './model/suite.ts'
import { openDirectory } from './service.ts'

modelSuite('the directory', openDirectory)
