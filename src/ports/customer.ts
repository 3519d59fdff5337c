export type PaymentMethod = 'CREDIT_TERMS' | 'CASH_ON_DELIVERY'

export interface Address {
  line1: string
  line2: string | null
  city: string
  region: string | null
  postal_code: string | null
  /** ISO 3166-1 alpha-2. */
  country: string
}

export interface CustomerAddress extends Address {
  address_id: string
  is_default: boolean
}

/** A customer of the accounting system. */
export interface Customer {
  customer_id: string
  account_number: string | null
  email: string
  first_name: string | null
  last_name: string | null
  company: string | null
  phone: string | null
  customer_type: 'BUSINESS' | 'INDIVIDUAL'
  status: 'ACTIVE' | 'ON_HOLD'
  payment_methods: PaymentMethod[]
  addresses: CustomerAddress[]
  /** RFC 3339, UTC. */
  created_at: string | null
}

export interface CustomerDraft {
  /** Identifies this creation permanently. */
  reference: string
  email: string
  first_name: string
  last_name: string
  company: string | null
  phone: string | null
}
