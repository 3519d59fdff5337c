"""Gives the demo merchant promotions: one that applies by itself, on a product of its own, and others for whoever knows a code."""
import datetime
import os
from decimal import Decimal

from proteus import Model, config

session = config.set_trytond(
    database=os.environ['TRYTON_DATABASE'], config_file=os.environ['TRYTON_CONFIG'])
model = Model.get
session._context = model('res.user').get_preferences(True, {})


def find(name, *domain):
    return model(name).find(list(domain), limit=1)[0]


company = find('company.company')
jmd = find('currency.currency', ('code', '=', 'JMD'))


def promotion(name, formula, code=None, uses=0, per_party=False, products=(), categories=(), start=None, end=None,
        **values):
    record = model('sale.promotion')(name=name, company=company, formula=formula, **values)
    for product in products:
        record.products.append(find('product.product', ('code', '=', product)))
    for category in categories:
        record.categories.append(find('product.category', ('name', '=', category)))
    record.save()
    if code:
        add_code(record, name, code, uses, per_party)
    # Last, because a number that is not valid today cannot be made.
    record.start_date, record.end_date = start, end
    record.save()


def add_code(promotion, name, code, uses, per_party):
    coupon = model('sale.promotion.coupon')(promotion=model('sale.promotion')(promotion.id),
        number_of_use=uses, per_party=per_party)
    number = coupon.numbers.new(number=code)
    # Up to 7.2, a coupon has a name; later, its numbers have dates, by default from today on.
    if hasattr(coupon, 'name'):
        coupon.name = name
    if hasattr(number, 'start_date'):
        number.start_date = None
    coupon.save()


promotion('Filter of the week', 'unit_price * Decimal("0.95")', products=['OFL-008'])
promotion('Brakes 15% off', 'unit_price * 0.85', 'PADS15', categories=['Brakes'], amount=Decimal(20000), currency=jmd)
promotion('Welcome: 10% off', 'unit_price - unit_price / 10', 'WELCOME10', uses=1, per_party=True)
promotion('The last one', 'unit_price - Decimal("500.50")', 'LASTONE', uses=1, products=['BAT-002'])
promotion('For the trade', 'unit_price * 0.97', 'TRADE3', price_list=find('product.price_list', ('name', '=', 'Trade')))
promotion('Twelve oil filters', '(unit_price * 0.9).quantize(Decimal("1")) - 0.05', 'DOZEN', quantity=12.,
    unit=find('product.uom', ('name', '=', 'Unit')), categories=['Oil Filters'])
promotion('Over', 'unit_price / 2', 'OVER', end=datetime.date(2020, 1, 1))
promotion('Not yet', 'unit_price / 2', 'NOTYET', start=datetime.date(2100, 1, 1))
