import { describeConformance } from '../conformance/suite.ts'
import { restConformance } from './conformance-subject.ts'

describeConformance('rest', restConformance)
