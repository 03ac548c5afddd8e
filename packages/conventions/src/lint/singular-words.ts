/** Words that look plural to both judges and are the name of one thing, or have no singular of the same meaning. */

export const singularWords: readonly string[] = (
  'https lens kubernetes sales goods postgres analytics statistics metrics-analytics news series species means ' +
  'headquarters barracks crossroads customs corps devops iops saas paas iaas macos windows nodejs redis'
).split(' ')
