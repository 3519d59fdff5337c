import { expect } from 'chai'
import { createAmountFormatter, formatDecimal } from '../../adapters/decimal-format.ts'

describe('amounts', () => {
  it("have at least the currency's digits, 2 where it is unknown, and 6 at the most", () => {
    const written = (value: string) =>
      ['JMD', 'JPY', 'KWD', 'XXX', 'dollars'].map((code) => createAmountFormatter(code)(value))
    expect(written('5')).to.deep.equal(['5.00', '5', '5.000', '5.00', '5.00'])
    expect(written('5400.1200000000')).to.deep.equal(['5400.12', '5400.12', '5400.120', '5400.12', '5400.12'])
    expect(createAmountFormatter('JMD')('0.1234565000')).to.equal('0.123457')
    expect(createAmountFormatter('JMD')('123456789012345.1234567891')).to.equal('123456789012345.123457')
    expect(createAmountFormatter('JMD')('1.5E+21')).to.equal('1500000000000000000000.00')
    expect(createAmountFormatter('JMD')('0.0000001')).to.equal('0.00')
  })

  it('differ from rates and quantities, which have as few decimals as possible', () => {
    expect(['1', '0.150', '12.0000000000', '0.0000005', '0.00000049', '1e3'].map(formatDecimal)).to.deep.equal([
      '1',
      '0.15',
      '12',
      '0.000001',
      '0',
      '1000',
    ])
  })
})
