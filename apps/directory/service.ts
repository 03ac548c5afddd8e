/** The service that `nomen serve` loads. SAMPLE_USERS is the number of users for an empty database. */
import { directoryService } from './src/index.ts'

const { SAMPLE_USERS = '200' } = process.env
if (!/^\d{1,9}$/.test(SAMPLE_USERS)) {
  throw new Error(`SAMPLE_USERS must be a whole number from 0 to 999999999, but is "${SAMPLE_USERS}".`)
}

export default directoryService({ users: Number(SAMPLE_USERS) })
