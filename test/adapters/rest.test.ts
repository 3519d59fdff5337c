import { conformance } from './conformance.ts'
import { conforming } from './rest-subject.ts'

conformance('rest', conforming)
