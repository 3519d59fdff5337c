/** Long imports become visible this long after their stamp; Odoo stops a request after 120 s. One second more, because it compares whole seconds. */
export const LATE_COMMIT_SECONDS = 121
