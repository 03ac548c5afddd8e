/** The directory as a service: its two apis, its rules and its sample data. */
import { callerNoun, type Service, service } from '@nomen/server'
import { access, directory } from './apis.ts'
import { user } from './nouns.ts'
import { enabledOrValue, supervisedByAnother } from './rules.ts'
import { sample } from './sample.ts'

export { access, directory } from './apis.ts'
export { action, application, department, preference, role, user } from './nouns.ts'

/** `users` is the number of sample users for an empty database; the other sample records depend on it. */
export function directoryService({ users = 200 }: { readonly users?: number } = {}): Service {
  return service({
    name: 'directory',
    apis: [directory, access],
    rules: [supervisedByAnother, enabledOrValue],
    callers: callerNoun(user, 'username'),
    sample: () => sample(users),
  })
}
