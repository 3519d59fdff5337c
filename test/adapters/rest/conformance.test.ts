import { conformance } from '../conformance/suite.ts'
import { conforming } from './conformance-subject.ts'

conformance('rest', conforming)
