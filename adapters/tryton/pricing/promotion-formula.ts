import { Decimal } from 'decimal.js'
import jsep from 'jsep'

/** Arithmetic as of Python's Decimal: 28 digits, halves to even. */
const Python = Decimal.clone({ precision: 28, rounding: Decimal.ROUND_HALF_EVEN })
const NUMBER = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i
/** The maximum length of a formula, which someone typed. */
const MAX_LENGTH = 1_000

type Evaluate = (unitPrice: Decimal) => Decimal
export type PromotionFormula = (unitPrice: string) => string
type Node = jsep.Expression & Record<string, unknown>

/**
 * Compiles the formula of a promotion, which is a Python expression in Tryton. It supports arithmetic only: + - * /,
 * parentheses, unit_price, numbers, Decimal('0.9'), and a Decimal's quantize, min and max. Returns `null` for anything
 * else rather than guess. The compiled function throws where Tryton would fail, for instance by a division by zero.
 */
export function parsePromotionFormula(text: string): PromotionFormula | null {
  try {
    const evaluate = text.length > MAX_LENGTH || /[\r\n]/.test(text) ? null : compile(jsep(text) as Node)
    return evaluate && ((unitPrice) => formatPrice(evaluate(new Python(unitPrice))))
  } catch {
    return null
  }
}

function formatPrice(price: Decimal): string {
  if (!price.isFinite()) throw new RangeError('no number')
  return Python.max(0, price).toFixed()
}

function compile(node: Node): Evaluate | null {
  switch (node.type) {
    case 'Literal':
      return compileLiteral(String(node.raw))
    case 'Identifier':
      return node.name === 'unit_price' ? (unitPrice) => unitPrice : null
    case 'UnaryExpression':
      return compileUnary(node)
    case 'BinaryExpression':
      return compileBinary(node)
    case 'CallExpression':
      return compileCall(node)
    default:
      return null
  }
}

/** Compiles a number. Tryton turns every number of the text into a Decimal, digit by digit. */
function compileLiteral(raw: string): Evaluate | null {
  if (!NUMBER.test(raw) || /^[-+]?0\d/.test(raw)) return null
  const value = new Python(raw)
  return () => value
}

function compileUnary({ operator, argument }: Node): Evaluate | null {
  const operand = compile(argument as Node)
  if (!operand) return null
  if (operator === '+') return operand
  return operator === '-' ? (unitPrice) => operand(unitPrice).neg() : null
}

const operations: Record<string, (a: Decimal, b: Decimal) => Decimal> = {
  '+': (a, b) => a.plus(b),
  '-': (a, b) => a.minus(b),
  '*': (a, b) => a.times(b),
  '/': (a, b) => a.div(b),
}

function compileBinary({ operator, left, right }: Node): Evaluate | null {
  const operation = Object.hasOwn(operations, operator as string) ? operations[operator as string]! : null
  const [a, b] = [compile(left as Node), compile(right as Node)]
  return operation && a && b && ((unitPrice) => operation(a(unitPrice), b(unitPrice)))
}

function compileCall({ callee, arguments: args }: Node): Evaluate | null {
  const [argument, ...more] = args as Node[]
  const { type, name, object, property, computed } = callee as Node
  if (argument === undefined || more.length > 0) return null
  if (type === 'Identifier') return name === 'Decimal' ? compileDecimal(argument) : null
  if (type !== 'MemberExpression' || computed) return null
  const [receiver, operand] = [compile(object as Node), compile(argument)]
  if (!receiver || !operand) return null
  const method = (property as Node).name
  if (method === 'quantize') return compileQuantize(receiver, argument)
  if (method === 'min') return (unitPrice) => Python.min(receiver(unitPrice), operand(unitPrice))
  return method === 'max' ? (unitPrice) => Python.max(receiver(unitPrice), operand(unitPrice)) : null
}

/** Compiles the argument of Decimal: an expression, or a number in quotes. */
function compileDecimal(argument: Node): Evaluate | null {
  return argument.type === 'Literal' && typeof argument.value === 'string'
    ? compileLiteral(argument.value)
    : compile(argument)
}

/** Compiles quantize, which rounds to the number of decimals of its argument. */
function compileQuantize(receiver: Evaluate, example: Node): Evaluate | null {
  const [number] = (example.type === 'CallExpression' ? example.arguments : [example]) as Node[]
  const text = number?.type === 'Literal' ? literalText(number) : ''
  const digits = /^\d+(?:\.(\d*))?$|^\.(\d+)$/.exec(text)
  if (!digits) return null
  const decimals = (digits[1] ?? digits[2] ?? '').length
  return (unitPrice) => {
    const value = receiver(unitPrice).toDecimalPlaces(decimals)
    // Python raises an error for a result beyond its precision.
    if (value.toFixed(decimals).replace(/[-.]|^0+/g, '').length > 28) throw new RangeError('too many digits')
    return value
  }
}

const literalText = ({ value, raw }: Node) => (typeof value === 'string' ? value : String(raw))
