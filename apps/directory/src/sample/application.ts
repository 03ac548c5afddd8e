/** The applications of the sample, with their actions and roles. */
interface Application {
  name: string
  guid: string
  description: string
  /** Name and description. */
  actions: readonly (readonly [string, string])[]
  /** Name, description, and the names of the actions that the role allows. */
  roles: readonly (readonly [string, string, readonly string[]])[]
}

export const applications: readonly Application[] = [
  {
    name: 'Payroll',
    guid: 'b52d1b4d-ce9e-4723-89a3-d71a708d4ed6',
    description: 'Salaries, bonuses and payslips.',
    actions: [
      ['view payslip', 'Open a payslip.'],
      ['download tax statement', "Fetch the year's tax statement."],
      ['change bank account', 'Enter the account that a salary goes to.'],
      ['prepare payroll run', "Gather the month's salaries."],
      ['approve payroll run', 'Release the prepared salaries to the bank.'],
      ['cancel payroll run', 'Take back a run that has not been paid.'],
      ['grant bonus', 'Add a one-off payment.'],
      ['export ledger', 'Hand the bookings to accounting.'],
    ],
    roles: [
      ['Employee', 'Can view their own data.', ['view payslip', 'download tax statement', 'change bank account']],
      ['Clerk', 'Prepares the month.', ['view payslip', 'prepare payroll run', 'cancel payroll run']],
      ['Approver', 'Second pair of "eyes".', ['approve payroll run', 'cancel payroll run', 'grant bonus']],
      ['Auditor', 'Reads everything, changes nothing.', ['view payslip', 'download tax statement', 'export ledger']],
      ['Guest', 'Signs in and sees the front page only.', []],
    ],
  },
  {
    name: 'Travel',
    guid: 'e01a2deb-6bcf-48b3-8572-721433e072fd',
    description: 'Trips by rail, road and air, from the request to the ticket.',
    actions: [
      ['request trip', 'Ask for a trip.'],
      ['approve trip', 'Let a requested trip go ahead.'],
      ['reject trip', 'Turn a requested trip down, with a reason.'],
      ['book ticket', 'Buy the ticket for an approved trip.'],
      ['book hotel', 'Reserve a room for an approved trip.'],
      ['cancel booking', 'Give a ticket or a room back.'],
      ['view itinerary', 'See where somebody is and when.'],
    ],
    roles: [
      ['Traveller', 'Goes on trips.', ['request trip', 'view itinerary', 'cancel booking']],
      ['Approver', "Decides on the team's trips.", ['approve trip', 'reject trip', 'view itinerary']],
      ['Travel Agent', 'Books for others.', ['book ticket', 'book hotel', 'cancel booking', 'view itinerary']],
      ['Duty Officer', 'Finds travellers in an emergency.', ['view itinerary']],
    ],
  },
  {
    name: 'Expense',
    guid: 'b4d02f02-2244-42f6-b526-4bd5e9d86c99',
    description: 'Receipts in, money back: mileage, meals & more.',
    actions: [
      ['submit expense', 'Hand in a receipt.'],
      ['withdraw expense', 'Take a receipt back before it is decided.'],
      ['approve expense', 'Accept a receipt of up to 1.000 €.'],
      ['approve large expense', 'Accept a receipt of any amount.'],
      ['reject expense', 'Turn a receipt down, with a reason.'],
      ['reimburse expense', 'Pay an accepted receipt.'],
      ['view expense', 'Open any receipt.'],
      ['set mileage rate', 'Change what a kilometre is worth.'],
      ['archive expense', 'Put away what is older than ten years.'],
    ],
    roles: [
      ['Claimant', 'Hands in receipts.', ['submit expense', 'withdraw expense']],
      ['Approver', "Decides on the team's receipts.", ['approve expense', 'reject expense', 'view expense']],
      ['Senior Approver', 'Decides on any amount.', ['approve expense', 'approve large expense', 'reject expense']],
      ['Cashier', 'Pays.', ['view expense', 'reimburse expense']],
      ['Auditor', 'Reads everything, changes nothing.', ['view expense']],
      ['Administrator', 'Keeps the rules.', ['view expense', 'set mileage rate', 'archive expense']],
    ],
  },
  {
    name: 'Recruiting',
    guid: 'c4e8e41f-053d-4115-b19b-1e45149a9fd0',
    description: 'Vacancies, candidates and interviews.',
    actions: [
      ['open vacancy', 'Announce a position.'],
      ['close vacancy', 'Take an announcement down.'],
      ['view candidate', 'Read an application and its résumé.'],
      ['rate candidate', 'Leave a rating after an interview.'],
      ['schedule interview', 'Find a time and a room.'],
      ['make offer', 'Send a contract.'],
      ['reject candidate', 'Send regrets.'],
      ['erase candidate', 'Remove personal data for good.'],
    ],
    roles: [
      ['Interviewer', 'Talks with candidates.', ['view candidate', 'rate candidate']],
      ['Recruiter', 'Leads a search.', ['open vacancy', 'view candidate', 'schedule interview', 'reject candidate']],
      ['Hiring Manager', 'Has the last word.', ['view candidate', 'rate candidate', 'make offer', 'close vacancy']],
      ['Privacy Officer', 'Erases what may not be kept.', ['erase candidate']],
    ],
  },
  {
    name: 'Asset Register',
    guid: '0ffe880d-3f8d-4383-8029-5bfa9beef4f6',
    description: 'Every laptop, desk and van, and who has it.',
    actions: [
      ['view asset', 'Look an asset up.'],
      ['register asset', 'Enter a new asset and its 100% true serial number.'],
      ['assign asset', 'Hand an asset to a person.'],
      ['return asset', 'Take an asset back.'],
      ['report loss', 'Say that an asset is gone.'],
      ['write off asset', 'Take an asset out of the books.'],
    ],
    roles: [
      ['Viewer', 'Looks things up.', ['view asset']],
      ['Holder', 'Has something on loan.', ['view asset', 'return asset', 'report loss']],
      ['Storekeeper', 'Hands out, takes back.', ['view asset', 'register asset', 'assign asset', 'return asset']],
    ],
  },
  {
    name: 'Service Desk',
    guid: 'bed94e28-8920-4155-99d5-dad60c596e34',
    description: "Tickets for whatever doesn't work.",
    actions: [
      ['open ticket', 'Say what is wrong.'],
      ['comment on ticket', 'Add a comment to a ticket.'],
      ['view ticket', 'Read any ticket.'],
      ['take ticket', 'Assign a ticket to yourself.'],
      ['forward ticket', 'Hand a ticket to another team.'],
      ['close ticket', 'Say that it works again.'],
      ['reopen ticket', 'Say that it still does not.'],
      ['merge ticket', 'Make two tickets about one thing one.'],
      ['publish outage', 'Tell everybody at once.'],
      ['reset password', 'Let somebody in again.'],
      ['view statistic', 'See how long things take.'],
    ],
    roles: [
      ['Reporter', 'Needs help.', ['open ticket', 'comment on ticket', 'reopen ticket']],
      ['First Line Agent', 'Answers first.', ['view ticket', 'take ticket', 'close ticket', 'reset password']],
      ['Second Line Agent', 'Knows more.', ['view ticket', 'take ticket', 'close ticket', 'merge ticket']],
      ['Dispatcher', 'Finds the right team.', ['view ticket', 'forward ticket', 'merge ticket']],
      ['Incident Manager', 'Leads when much is down.', ['view ticket', 'forward ticket', 'publish outage']],
      ['Team Lead', 'Watches over the queue.', ['view ticket', 'forward ticket', 'view statistic']],
      ['Observer', 'Watches only.', ['view ticket', 'view statistic']],
    ],
  },
]
