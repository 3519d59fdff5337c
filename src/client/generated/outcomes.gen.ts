// This file is recorded from the sandbox by `npm run client:record`.
export type OutcomeName = 'in_stock' | 'low_stock' | 'out_of_stock' | 'no_price' | 'not_found' | 'product_without_price' | 'product_unavailable' | 'list' | 'list_without_prices' | 'placed' | 'over_credit_limit' | 'price_changed' | 'line_unavailable'

export const recordedOutcomes = {
 "in_stock": [
  {
   "method": "GET",
   "path": "/v1/products/BP-1001",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "mpFNg7aaZ1-1v",
    "x-service-mode": "sandbox"
   },
   "body": {
    "sku": "BP-1001",
    "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
    "slug": "front-brake-pad-set-honda-cr-v-2012-2016-heavy-duty-bp-1001",
    "description": "Brake Pad Set by Orizon Parts, heavy duty grade. Sold by: set. Check the vehicle list before ordering.",
    "brand": "Orizon Parts",
    "mpn": "OZ55692",
    "barcode": "2039253922140",
    "price": {
     "amount": "6188.00",
     "currency": "JMD",
     "price_type": "LIST",
     "list_amount": "6188.00",
     "tax_included": false,
     "uom": "set",
     "breaks": [],
     "as_of": "2026-11-25T07:15:59.264Z"
    },
    "tax": {
     "code": "GCT",
     "name": "General Consumption Tax",
     "rate": "0.15"
    },
    "availability": {
     "band": "IN_STOCK",
     "eta": null,
     "orderable": true
    },
    "cover": {
     "media_id": "m10001-1",
     "position": 1,
     "alt": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
     "kind": "IMAGE",
     "width": 800,
     "height": 800,
     "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
     "large_url": "https://forecourt.example/media/pads-1-large.webp"
    },
    "media": [
     {
      "media_id": "m10001-1",
      "position": 1,
      "alt": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
      "kind": "IMAGE",
      "width": 800,
      "height": 800,
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "large_url": "https://forecourt.example/media/pads-1-large.webp"
     },
     {
      "media_id": "m10001-2",
      "position": 2,
      "alt": null,
      "kind": "IMAGE",
      "width": 800,
      "height": 800,
      "thumb_url": "https://forecourt.example/media/pads-2-thumb.webp",
      "large_url": "https://forecourt.example/media/pads-2-large.webp"
     }
    ],
    "categories": [
     {
      "category_id": "101010",
      "name": "Brake Pads",
      "slug": "brake-pads"
     }
    ],
    "tags": [
     "heavy-duty",
     "new",
     "safety",
     "service-part"
    ],
    "uom": "set",
    "active": true,
    "updated_at": "2026-11-08T22:00:00.000Z",
    "order_uoms": [
     {
      "uom": "set",
      "factor": "1",
      "min": "1",
      "increment": "1"
     }
    ],
    "references": [
     {
      "kind": "OEM",
      "brand": "Honda",
      "number": "HO-60063-BP2012"
     },
     {
      "kind": "SUPERSEDES",
      "brand": null,
      "number": "BP-0901"
     }
    ],
    "supersedes": [
     "BP-0901",
     "BP-1010"
    ],
    "superseded_by": null,
    "alternatives": [
     {
      "sku": "BP-1015",
      "name": "Rear Brake Pad Set, Honda CR-V 2012-2016, Eco",
      "relation": "OEM",
      "price": {
       "amount": "6936.00",
       "currency": "JMD",
       "price_type": "LIST",
       "list_amount": "6936.00",
       "tax_included": false,
       "uom": "set",
       "breaks": [],
       "as_of": "2026-11-25T07:15:55.929Z"
      },
      "availability": {
       "band": "LOW",
       "eta": null,
       "orderable": true
      }
     }
    ],
    "errors": []
   }
  }
 ],
 "low_stock": [
  {
   "method": "GET",
   "path": "/v1/products/BP-1002",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "mpFNg7aaZ1-1w",
    "x-service-mode": "sandbox"
   },
   "body": {
    "sku": "BP-1002",
    "name": "Front Brake Pad Set, Hyundai Elantra 2007-2010, OE Quality",
    "slug": "front-brake-pad-set-hyundai-elantra-2007-2010-oe-quality-bp-1002",
    "description": "Brake Pad Set by Halverd, oe quality grade. Sold by: set. Check the vehicle list before ordering.",
    "brand": "Halverd",
    "mpn": "HV42020",
    "barcode": "2033131852956",
    "price": {
     "amount": "6596.00",
     "currency": "JMD",
     "price_type": "LIST",
     "list_amount": "6596.00",
     "tax_included": false,
     "uom": "set",
     "breaks": [],
     "as_of": "2026-11-25T07:15:59.264Z"
    },
    "tax": {
     "code": "GCT",
     "name": "General Consumption Tax",
     "rate": "0.15"
    },
    "availability": {
     "band": "LOW",
     "eta": null,
     "orderable": true
    },
    "cover": {
     "media_id": "m10002-1",
     "position": 1,
     "alt": "Front Brake Pad Set, Hyundai Elantra 2007-2010, OE Quality",
     "kind": "IMAGE",
     "width": 800,
     "height": 800,
     "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
     "large_url": "https://forecourt.example/media/pads-1-large.webp"
    },
    "media": [
     {
      "media_id": "m10002-1",
      "position": 1,
      "alt": "Front Brake Pad Set, Hyundai Elantra 2007-2010, OE Quality",
      "kind": "IMAGE",
      "width": 800,
      "height": 800,
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "large_url": "https://forecourt.example/media/pads-1-large.webp"
     },
     {
      "media_id": "m10002-2",
      "position": 2,
      "alt": null,
      "kind": "IMAGE",
      "width": 800,
      "height": 800,
      "thumb_url": "https://forecourt.example/media/pads-2-thumb.webp",
      "large_url": "https://forecourt.example/media/pads-2-large.webp"
     }
    ],
    "categories": [
     {
      "category_id": "101010",
      "name": "Brake Pads",
      "slug": "brake-pads"
     }
    ],
    "tags": [
     "oe-quality",
     "safety",
     "service-part"
    ],
    "uom": "set",
    "active": true,
    "updated_at": "2026-11-18T21:00:00.000Z",
    "order_uoms": [
     {
      "uom": "set",
      "factor": "1",
      "min": "1",
      "increment": "1"
     }
    ],
    "references": [
     {
      "kind": "OEM",
      "brand": "Hyundai",
      "number": "HY-44805-BP2007"
     },
     {
      "kind": "CROSS",
      "brand": "Pikomoto",
      "number": "PK BP 111"
     }
    ],
    "supersedes": [],
    "superseded_by": null,
    "alternatives": [
     {
      "sku": "BP-1027",
      "name": "Front Brake Pad Set, Hyundai Elantra 2007-2010, Performance",
      "relation": "OEM",
      "price": {
       "amount": "8364.00",
       "currency": "JMD",
       "price_type": "LIST",
       "list_amount": "8364.00",
       "tax_included": false,
       "uom": "set",
       "breaks": [],
       "as_of": "2026-11-25T07:15:55.929Z"
      },
      "availability": {
       "band": "IN_STOCK",
       "eta": null,
       "orderable": true
      }
     }
    ],
    "errors": []
   }
  }
 ],
 "out_of_stock": [
  {
   "method": "GET",
   "path": "/v1/products/BP-1003",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "mpFNg7aaZ1-1x",
    "x-service-mode": "sandbox"
   },
   "body": {
    "sku": "BP-1003",
    "name": "Rear Brake Pad Set, Hyundai Elantra 2001-2006, OE Quality",
    "slug": "rear-brake-pad-set-hyundai-elantra-2001-2006-oe-quality-bp-1003",
    "description": "Brake Pad Set by Norvane, oe quality grade. Sold by: set. Check the vehicle list before ordering.",
    "brand": "Norvane",
    "mpn": "NV51802",
    "barcode": "2017193690992",
    "price": {
     "amount": "8228.00",
     "currency": "JMD",
     "price_type": "LIST",
     "list_amount": "8228.00",
     "tax_included": false,
     "uom": "set",
     "breaks": [
      {
       "min_quantity": "12",
       "amount": "7816.60"
      }
     ],
     "as_of": "2026-11-25T07:15:59.264Z"
    },
    "tax": {
     "code": "GCT",
     "name": "General Consumption Tax",
     "rate": "0.15"
    },
    "availability": {
     "band": "OUT",
     "eta": null,
     "orderable": false
    },
    "cover": {
     "media_id": "m10003-1",
     "position": 1,
     "alt": "Rear Brake Pad Set, Hyundai Elantra 2001-2006, OE Quality",
     "kind": "IMAGE",
     "width": 800,
     "height": 800,
     "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
     "large_url": "https://forecourt.example/media/pads-1-large.webp"
    },
    "media": [
     {
      "media_id": "m10003-1",
      "position": 1,
      "alt": "Rear Brake Pad Set, Hyundai Elantra 2001-2006, OE Quality",
      "kind": "IMAGE",
      "width": 800,
      "height": 800,
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "large_url": "https://forecourt.example/media/pads-1-large.webp"
     }
    ],
    "categories": [
     {
      "category_id": "101010",
      "name": "Brake Pads",
      "slug": "brake-pads"
     }
    ],
    "tags": [
     "oe-quality",
     "safety",
     "service-part"
    ],
    "uom": "set",
    "active": true,
    "updated_at": "2026-11-15T01:00:00.000Z",
    "order_uoms": [
     {
      "uom": "set",
      "factor": "1",
      "min": "1",
      "increment": "1"
     }
    ],
    "references": [
     {
      "kind": "OEM",
      "brand": "Hyundai",
      "number": "HY-10679-BP2001"
     },
     {
      "kind": "CROSS",
      "brand": "Señalux",
      "number": "SX BP 117"
     }
    ],
    "supersedes": [],
    "superseded_by": null,
    "alternatives": [],
    "errors": []
   }
  }
 ],
 "no_price": [
  {
   "method": "GET",
   "path": "/v1/products/BP-1009",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "mpFNg7aaZ1-1y",
    "x-service-mode": "sandbox"
   },
   "body": {
    "sku": "BP-1009",
    "name": "Rear Brake Pad Set, Nissan Altima 2013-2018, Standard",
    "slug": "rear-brake-pad-set-nissan-altima-2013-2018-standard-bp-1009",
    "description": "Brake Pad Set by Deltorq, standard grade. Sold by: set. Check the vehicle list before ordering.",
    "brand": "Deltorq",
    "mpn": "DQ77671",
    "barcode": "2020160546130",
    "price": null,
    "tax": {
     "code": "GCT",
     "name": "General Consumption Tax",
     "rate": "0.15"
    },
    "availability": {
     "band": "IN_STOCK",
     "eta": null,
     "orderable": true
    },
    "cover": {
     "media_id": "m10009-1",
     "position": 1,
     "alt": "Rear Brake Pad Set, Nissan Altima 2013-2018, Standard",
     "kind": "IMAGE",
     "width": 800,
     "height": 800,
     "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
     "large_url": "https://forecourt.example/media/pads-1-large.webp"
    },
    "media": [
     {
      "media_id": "m10009-1",
      "position": 1,
      "alt": "Rear Brake Pad Set, Nissan Altima 2013-2018, Standard",
      "kind": "IMAGE",
      "width": 800,
      "height": 800,
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "large_url": "https://forecourt.example/media/pads-1-large.webp"
     },
     {
      "media_id": "m10009-2",
      "position": 2,
      "alt": null,
      "kind": "IMAGE",
      "width": 800,
      "height": 800,
      "thumb_url": "https://forecourt.example/media/pads-2-thumb.webp",
      "large_url": "https://forecourt.example/media/pads-2-large.webp"
     }
    ],
    "categories": [
     {
      "category_id": "101010",
      "name": "Brake Pads",
      "slug": "brake-pads"
     }
    ],
    "tags": [
     "safety",
     "service-part"
    ],
    "uom": "set",
    "active": true,
    "updated_at": "2026-10-06T16:00:00.000Z",
    "order_uoms": [
     {
      "uom": "set",
      "factor": "1",
      "min": "1",
      "increment": "1"
     }
    ],
    "references": [
     {
      "kind": "OEM",
      "brand": "Ford",
      "number": "FO-68730-BP2015"
     },
     {
      "kind": "OEM",
      "brand": "Nissan",
      "number": "NI-17008-BP2013"
     }
    ],
    "supersedes": [],
    "superseded_by": null,
    "alternatives": [
     {
      "sku": "BP-1033",
      "name": "Rear Brake Pad Set, Ford F-150 2015-2020, Standard",
      "relation": "OEM",
      "price": {
       "amount": "7072.00",
       "currency": "JMD",
       "price_type": "LIST",
       "list_amount": "7072.00",
       "tax_included": false,
       "uom": "set",
       "breaks": [],
       "as_of": "2026-11-25T07:15:58.155Z"
      },
      "availability": {
       "band": "IN_STOCK",
       "eta": null,
       "orderable": true
      }
     }
    ],
    "errors": []
   }
  }
 ],
 "not_found": [
  {
   "method": "GET",
   "path": "/v1/products/BP-1010",
   "status": 404,
   "headers": {
    "x-request-id": "mpFNg7aaZ1-1z",
    "x-service-mode": "sandbox"
   },
   "body": {
    "type": "about:blank",
    "title": "Not Found",
    "status": 404,
    "detail": "There is no such product. Send a sku as GET /v1/products lists it, in the same letter case.",
    "code": "not_found",
    "request_id": "mpFNg7aaZ1-1z"
   }
  }
 ],
 "product_without_price": [
  {
   "method": "GET",
   "path": "/v1/products/BP-1001",
   "status": 200,
   "headers": {
    "forecourt-complete": "false",
    "x-request-id": "mpFNg7aaZ1-20",
    "x-service-mode": "sandbox"
   },
   "body": {
    "sku": "BP-1001",
    "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
    "slug": "front-brake-pad-set-honda-cr-v-2012-2016-heavy-duty-bp-1001",
    "description": "Brake Pad Set by Orizon Parts, heavy duty grade. Sold by: set. Check the vehicle list before ordering.",
    "brand": "Orizon Parts",
    "mpn": "OZ55692",
    "barcode": "2039253922140",
    "price": null,
    "tax": {
     "code": "GCT",
     "name": "General Consumption Tax",
     "rate": "0.15"
    },
    "availability": {
     "band": "IN_STOCK",
     "eta": null,
     "orderable": true
    },
    "cover": {
     "media_id": "m10001-1",
     "position": 1,
     "alt": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
     "kind": "IMAGE",
     "width": 800,
     "height": 800,
     "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
     "large_url": "https://forecourt.example/media/pads-1-large.webp"
    },
    "media": [
     {
      "media_id": "m10001-1",
      "position": 1,
      "alt": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
      "kind": "IMAGE",
      "width": 800,
      "height": 800,
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "large_url": "https://forecourt.example/media/pads-1-large.webp"
     },
     {
      "media_id": "m10001-2",
      "position": 2,
      "alt": null,
      "kind": "IMAGE",
      "width": 800,
      "height": 800,
      "thumb_url": "https://forecourt.example/media/pads-2-thumb.webp",
      "large_url": "https://forecourt.example/media/pads-2-large.webp"
     }
    ],
    "categories": [
     {
      "category_id": "101010",
      "name": "Brake Pads",
      "slug": "brake-pads"
     }
    ],
    "tags": [
     "heavy-duty",
     "new",
     "safety",
     "service-part"
    ],
    "uom": "set",
    "active": true,
    "updated_at": "2026-11-08T22:00:00.000Z",
    "order_uoms": [
     {
      "uom": "set",
      "factor": "1",
      "min": "1",
      "increment": "1"
     }
    ],
    "references": [
     {
      "kind": "OEM",
      "brand": "Honda",
      "number": "HO-60063-BP2012"
     },
     {
      "kind": "SUPERSEDES",
      "brand": null,
      "number": "BP-0901"
     }
    ],
    "supersedes": [
     "BP-0901",
     "BP-1010"
    ],
    "superseded_by": null,
    "alternatives": [
     {
      "sku": "BP-1015",
      "name": "Rear Brake Pad Set, Honda CR-V 2012-2016, Eco",
      "relation": "OEM",
      "price": null,
      "availability": {
       "band": "LOW",
       "eta": null,
       "orderable": true
      }
     }
    ],
    "errors": [
     {
      "field": "price",
      "code": "downstream_timeout",
      "detail": "The upstream system did not respond in time."
     },
     {
      "field": "alternatives",
      "code": "partial_result",
      "detail": "The upstream system failed for some of the rows."
     }
    ]
   }
  }
 ],
 "product_unavailable": [
  {
   "method": "GET",
   "path": "/v1/products/BP-1001",
   "status": 503,
   "headers": {
    "retry-after": "1",
    "x-request-id": "mpFNg7aaZ1-21",
    "x-service-mode": "sandbox"
   },
   "body": {
    "type": "about:blank",
    "title": "Service Unavailable",
    "status": 503,
    "detail": "An upstream system cannot be reached.",
    "code": "downstream_unavailable",
    "request_id": "mpFNg7aaZ1-21"
   }
  }
 ],
 "list": [
  {
   "method": "GET",
   "path": "/v1/products",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "mpFNg7aaZ1-22",
    "x-service-mode": "sandbox"
   },
   "body": {
    "data": [
     {
      "sku": "BP-1001",
      "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
      "slug": "front-brake-pad-set-honda-cr-v-2012-2016-heavy-duty-bp-1001",
      "brand": "Orizon Parts",
      "mpn": "OZ55692",
      "barcode": "2039253922140",
      "price": {
       "amount": "6188.00",
       "currency": "JMD",
       "price_type": "LIST",
       "list_amount": "6188.00",
       "tax_included": false,
       "uom": "set",
       "breaks": [],
       "as_of": "2026-11-25T07:15:59.264Z"
      },
      "tax": {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15"
      },
      "availability": {
       "band": "IN_STOCK",
       "eta": null,
       "orderable": true
      },
      "cover": {
       "media_id": "m10001-1",
       "position": 1,
       "alt": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
       "kind": "IMAGE",
       "width": 800,
       "height": 800,
       "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
       "large_url": "https://forecourt.example/media/pads-1-large.webp"
      },
      "media": [
       {
        "media_id": "m10001-1",
        "position": 1,
        "alt": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
        "large_url": "https://forecourt.example/media/pads-1-large.webp"
       },
       {
        "media_id": "m10001-2",
        "position": 2,
        "alt": null,
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/pads-2-thumb.webp",
        "large_url": "https://forecourt.example/media/pads-2-large.webp"
       }
      ],
      "categories": [
       {
        "category_id": "101010",
        "name": "Brake Pads",
        "slug": "brake-pads"
       }
      ],
      "tags": [
       "heavy-duty",
       "new",
       "safety",
       "service-part"
      ],
      "uom": "set",
      "active": true,
      "updated_at": "2026-11-08T22:00:00.000Z"
     },
     {
      "sku": "RD-1010",
      "name": "Radiator, Honda Civic 1998-2000, OE Quality",
      "slug": "radiator-honda-civic-1998-2000-oe-quality-rd-1010",
      "brand": "Señalux",
      "mpn": "SX82317",
      "barcode": null,
      "price": {
       "amount": "45430.00",
       "currency": "JMD",
       "price_type": "LIST",
       "list_amount": "45430.00",
       "tax_included": false,
       "uom": "each",
       "breaks": [],
       "as_of": "2026-11-25T07:15:59.442Z"
      },
      "tax": {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15"
      },
      "availability": {
       "band": "IN_STOCK",
       "eta": null,
       "orderable": true
      },
      "cover": {
       "media_id": "m10600-1",
       "position": 1,
       "alt": "Radiator, Honda Civic 1998-2000, OE Quality",
       "kind": "IMAGE",
       "width": 800,
       "height": 800,
       "thumb_url": "https://forecourt.example/media/radiator-1-thumb.webp",
       "large_url": "https://forecourt.example/media/radiator-1-large.webp"
      },
      "media": [
       {
        "media_id": "m10600-1",
        "position": 1,
        "alt": "Radiator, Honda Civic 1998-2000, OE Quality",
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/radiator-1-thumb.webp",
        "large_url": "https://forecourt.example/media/radiator-1-large.webp"
       }
      ],
      "categories": [
       {
        "category_id": "131010",
        "name": "Radiators",
        "slug": "radiators"
       }
      ],
      "tags": [
       "oe-quality"
      ],
      "uom": "each",
      "active": true,
      "updated_at": "2026-11-25T02:00:00.000Z"
     },
     {
      "sku": "DS-1016",
      "name": "Right Drive Shaft, Honda CR-V 2002-2006, Performance",
      "slug": "right-drive-shaft-honda-cr-v-2002-2006-performance-ds-1016",
      "brand": "Brükke",
      "mpn": "BK21739",
      "barcode": "2028907462569",
      "price": {
       "amount": "30832.00",
       "currency": "JMD",
       "price_type": "LIST",
       "list_amount": "30832.00",
       "tax_included": false,
       "uom": "each",
       "breaks": [
        {
         "min_quantity": "12",
         "amount": "29290.40"
        }
       ],
       "as_of": "2026-11-25T07:15:59.442Z"
      },
      "tax": {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15"
      },
      "availability": {
       "band": "LOW",
       "eta": null,
       "orderable": true
      },
      "cover": {
       "media_id": "m10952-1",
       "position": 1,
       "alt": "Right Drive Shaft, Honda CR-V 2002-2006, Performance",
       "kind": "IMAGE",
       "width": 800,
       "height": 800,
       "thumb_url": "https://forecourt.example/media/shaft-1-thumb.webp",
       "large_url": "https://forecourt.example/media/shaft-1-large.webp"
      },
      "media": [
       {
        "media_id": "m10952-1",
        "position": 1,
        "alt": "Right Drive Shaft, Honda CR-V 2002-2006, Performance",
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/shaft-1-thumb.webp",
        "large_url": "https://forecourt.example/media/shaft-1-large.webp"
       }
      ],
      "categories": [
       {
        "category_id": "151011",
        "name": "Drive Shafts",
        "slug": "drive-shafts"
       }
      ],
      "tags": [
       "performance"
      ],
      "uom": "each",
      "active": true,
      "updated_at": "2026-11-25T03:00:00.000Z"
     }
    ],
    "pagination": {
     "limit": 3,
     "offset": 0,
     "count": 3,
     "total": 1256,
     "has_more": true,
     "next_offset": 3
    },
    "errors": []
   }
  }
 ],
 "list_without_prices": [
  {
   "method": "GET",
   "path": "/v1/products",
   "status": 200,
   "headers": {
    "forecourt-complete": "false",
    "x-request-id": "mpFNg7aaZ1-23",
    "x-service-mode": "sandbox"
   },
   "body": {
    "data": [
     {
      "sku": "BP-1001",
      "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
      "slug": "front-brake-pad-set-honda-cr-v-2012-2016-heavy-duty-bp-1001",
      "brand": "Orizon Parts",
      "mpn": "OZ55692",
      "barcode": "2039253922140",
      "price": null,
      "tax": {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15"
      },
      "availability": {
       "band": "IN_STOCK",
       "eta": null,
       "orderable": true
      },
      "cover": {
       "media_id": "m10001-1",
       "position": 1,
       "alt": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
       "kind": "IMAGE",
       "width": 800,
       "height": 800,
       "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
       "large_url": "https://forecourt.example/media/pads-1-large.webp"
      },
      "media": [
       {
        "media_id": "m10001-1",
        "position": 1,
        "alt": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
        "large_url": "https://forecourt.example/media/pads-1-large.webp"
       },
       {
        "media_id": "m10001-2",
        "position": 2,
        "alt": null,
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/pads-2-thumb.webp",
        "large_url": "https://forecourt.example/media/pads-2-large.webp"
       }
      ],
      "categories": [
       {
        "category_id": "101010",
        "name": "Brake Pads",
        "slug": "brake-pads"
       }
      ],
      "tags": [
       "heavy-duty",
       "new",
       "safety",
       "service-part"
      ],
      "uom": "set",
      "active": true,
      "updated_at": "2026-11-08T22:00:00.000Z"
     },
     {
      "sku": "RD-1010",
      "name": "Radiator, Honda Civic 1998-2000, OE Quality",
      "slug": "radiator-honda-civic-1998-2000-oe-quality-rd-1010",
      "brand": "Señalux",
      "mpn": "SX82317",
      "barcode": null,
      "price": null,
      "tax": {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15"
      },
      "availability": {
       "band": "IN_STOCK",
       "eta": null,
       "orderable": true
      },
      "cover": {
       "media_id": "m10600-1",
       "position": 1,
       "alt": "Radiator, Honda Civic 1998-2000, OE Quality",
       "kind": "IMAGE",
       "width": 800,
       "height": 800,
       "thumb_url": "https://forecourt.example/media/radiator-1-thumb.webp",
       "large_url": "https://forecourt.example/media/radiator-1-large.webp"
      },
      "media": [
       {
        "media_id": "m10600-1",
        "position": 1,
        "alt": "Radiator, Honda Civic 1998-2000, OE Quality",
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/radiator-1-thumb.webp",
        "large_url": "https://forecourt.example/media/radiator-1-large.webp"
       }
      ],
      "categories": [
       {
        "category_id": "131010",
        "name": "Radiators",
        "slug": "radiators"
       }
      ],
      "tags": [
       "oe-quality"
      ],
      "uom": "each",
      "active": true,
      "updated_at": "2026-11-25T02:00:00.000Z"
     },
     {
      "sku": "DS-1016",
      "name": "Right Drive Shaft, Honda CR-V 2002-2006, Performance",
      "slug": "right-drive-shaft-honda-cr-v-2002-2006-performance-ds-1016",
      "brand": "Brükke",
      "mpn": "BK21739",
      "barcode": "2028907462569",
      "price": null,
      "tax": {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15"
      },
      "availability": {
       "band": "LOW",
       "eta": null,
       "orderable": true
      },
      "cover": {
       "media_id": "m10952-1",
       "position": 1,
       "alt": "Right Drive Shaft, Honda CR-V 2002-2006, Performance",
       "kind": "IMAGE",
       "width": 800,
       "height": 800,
       "thumb_url": "https://forecourt.example/media/shaft-1-thumb.webp",
       "large_url": "https://forecourt.example/media/shaft-1-large.webp"
      },
      "media": [
       {
        "media_id": "m10952-1",
        "position": 1,
        "alt": "Right Drive Shaft, Honda CR-V 2002-2006, Performance",
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/shaft-1-thumb.webp",
        "large_url": "https://forecourt.example/media/shaft-1-large.webp"
       }
      ],
      "categories": [
       {
        "category_id": "151011",
        "name": "Drive Shafts",
        "slug": "drive-shafts"
       }
      ],
      "tags": [
       "performance"
      ],
      "uom": "each",
      "active": true,
      "updated_at": "2026-11-25T03:00:00.000Z"
     }
    ],
    "pagination": {
     "limit": 3,
     "offset": 0,
     "count": 3,
     "total": 1256,
     "has_more": true,
     "next_offset": 3
    },
    "errors": [
     {
      "field": "price",
      "code": "downstream_timeout",
      "detail": "The upstream system did not respond in time."
     }
    ]
   }
  }
 ],
 "placed": [
  {
   "method": "POST",
   "path": "/v1/shoppers/login",
   "status": 200,
   "headers": {
    "x-request-id": "mpFNg7aaZ1-24",
    "x-service-mode": "sandbox"
   },
   "body": {
    "shopper_token": "recorded-shopper_token",
    "token_type": "Shopper",
    "expires_at": "2026-11-25T08:19:50.010Z",
    "expires_in": 3599,
    "refresh_token": "recorded-refresh_token",
    "refresh_expires_at": "2026-12-25T07:19:50.010Z",
    "device_token": "recorded-device_token",
    "customer": {
     "customer_id": "C-1001",
     "account_number": "70010",
     "email": "parts@mobay-garage.example",
     "first_name": null,
     "last_name": null,
     "company": "MoBay Garage",
     "phone": "+18765550100",
     "customer_type": "BUSINESS",
     "status": "ACTIVE",
     "currency": "JMD",
     "payment_methods": [
      "CREDIT_TERMS",
      "CASH_ON_DELIVERY"
     ],
     "addresses": [
      {
       "address_id": "C-1001-1",
       "is_default": true,
       "line1": "12 Harbour Street",
       "line2": null,
       "city": "St. James",
       "region": "St. James",
       "postal_code": null,
       "country": "JM",
       "source": "ACCOUNT"
      },
      {
       "address_id": "C-1001-2",
       "is_default": false,
       "line1": "Warehouse, 12 Harbour Street",
       "line2": null,
       "city": "St. James",
       "region": "St. James",
       "postal_code": null,
       "country": "JM",
       "source": "ACCOUNT"
      }
     ],
     "created_at": "2025-10-21T07:15:52.398Z",
     "errors": []
    },
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts",
   "status": 201,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "mpFNg7aaZ1-25",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_bHTWloMjJQx5BiSRbT3y2A",
    "state": "ACTIVE",
    "version": 1,
    "currency": "JMD",
    "lines": [],
    "item_count": 0,
    "promotions": [],
    "totals": null,
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T07:19:50.016Z",
    "updated_at": "2026-11-25T07:19:50.016Z",
    "expires_at": "2026-12-25T07:19:50.016Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/lines",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "mpFNg7aaZ1-26",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_bHTWloMjJQx5BiSRbT3y2A",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_xQm9Md9jDw1d",
      "sku": "BP-1001",
      "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "quantity": 1,
      "uom": "set",
      "order_uom": null,
      "order_quantity": null,
      "band": "IN_STOCK",
      "unit_price": null,
      "list_unit_price": null,
      "discount": null,
      "tax": null,
      "line_total": null
     }
    ],
    "item_count": 1,
    "promotions": [],
    "totals": null,
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T07:19:50.016Z",
    "updated_at": "2026-11-25T07:19:50.018Z",
    "expires_at": "2026-12-25T07:19:50.018Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/price",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "mpFNg7aaZ1-27",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_bHTWloMjJQx5BiSRbT3y2A",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_xQm9Md9jDw1d",
      "sku": "BP-1001",
      "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "quantity": 1,
      "uom": "set",
      "order_uom": null,
      "order_quantity": null,
      "band": "IN_STOCK",
      "unit_price": {
       "amount": "5445.44",
       "currency": "JMD"
      },
      "list_unit_price": {
       "amount": "6188.00",
       "currency": "JMD"
      },
      "discount": {
       "amount": "0.00",
       "currency": "JMD"
      },
      "tax": {
       "amount": "816.82",
       "currency": "JMD"
      },
      "line_total": {
       "amount": "6262.26",
       "currency": "JMD"
      }
     }
    ],
    "item_count": 1,
    "promotions": [],
    "totals": {
     "subtotal": {
      "amount": "5445.44",
      "currency": "JMD"
     },
     "discount_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "tax_total": {
      "amount": "816.82",
      "currency": "JMD"
     },
     "shipping_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "total": {
      "amount": "6262.26",
      "currency": "JMD"
     },
     "taxes": [
      {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15",
       "base": {
        "amount": "5445.44",
        "currency": "JMD"
       },
       "amount": {
        "amount": "816.82",
        "currency": "JMD"
       }
      }
     ],
     "tax_included": false
    },
    "pricing": {
     "state": "PRICED",
     "priced_at": "2026-11-25T07:19:50.023Z",
     "expires_at": "2026-11-25T07:34:50.023Z"
    },
    "credit": {
     "enabled": true,
     "would_exceed": false,
     "shortfall": null,
     "available_credit": {
      "amount": "297653.33",
      "currency": "JMD"
     },
     "as_of": "2026-11-25T07:19:50.022Z"
    },
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T07:19:50.016Z",
    "updated_at": "2026-11-25T07:19:50.018Z",
    "expires_at": "2026-12-25T07:19:50.018Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/checkout",
   "status": 200,
   "headers": {
    "x-request-id": "mpFNg7aaZ1-28",
    "x-service-mode": "sandbox"
   },
   "body": {
    "state": "placed",
    "cart_id": "cart_bHTWloMjJQx5BiSRbT3y2A",
    "order_id": "ord_SRVXd7317fbeUdjkfflTe4",
    "order_number": "SO-200004",
    "order": {
     "order_id": "ord_SRVXd7317fbeUdjkfflTe4",
     "order_number": "SO-200004",
     "status": "CONFIRMED",
     "payment_status": "NOT_REQUIRED",
     "channel": "ECOMMERCE",
     "currency": "JMD",
     "total": {
      "amount": "6262.26",
      "currency": "JMD"
     },
     "item_count": 1,
     "po_number": null,
     "placed_at": "2026-11-25T07:19:50.031Z",
     "updated_at": "2026-11-25T07:19:50.031Z",
     "lines": [
      {
       "sku": "BP-1001",
       "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
       "quantity": 1,
       "uom": "set",
       "order_uom": null,
       "order_quantity": null,
       "unit_price": {
        "amount": "5445.44",
        "currency": "JMD"
       },
       "list_unit_price": {
        "amount": "6188.00",
        "currency": "JMD"
       },
       "discount": {
        "amount": "0.00",
        "currency": "JMD"
       },
       "tax": {
        "code": "GCT",
        "rate": "0.15",
        "amount": {
         "amount": "816.82",
         "currency": "JMD"
        }
       },
       "line_total": {
        "amount": "6262.26",
        "currency": "JMD"
       }
      }
     ],
     "totals": {
      "subtotal": {
       "amount": "5445.44",
       "currency": "JMD"
      },
      "discount_total": {
       "amount": "0.00",
       "currency": "JMD"
      },
      "tax_total": {
       "amount": "816.82",
       "currency": "JMD"
      },
      "shipping_total": {
       "amount": "0.00",
       "currency": "JMD"
      },
      "total": {
       "amount": "6262.26",
       "currency": "JMD"
      },
      "taxes": [
       {
        "code": "GCT",
        "name": "General Consumption Tax",
        "rate": "0.15",
        "base": {
         "amount": "5445.44",
         "currency": "JMD"
        },
        "amount": {
         "amount": "816.82",
         "currency": "JMD"
        }
       }
      ],
      "tax_included": false
     },
     "promotions": [],
     "fulfillment_method": "DELIVERY",
     "shipping_address": {
      "line1": "12 Harbour Street",
      "line2": null,
      "city": "St. James",
      "region": "St. James",
      "postal_code": null,
      "country": "JM"
     },
     "billing_address": {
      "line1": "12 Harbour Street",
      "line2": null,
      "city": "St. James",
      "region": "St. James",
      "postal_code": null,
      "country": "JM"
     },
     "contact": {
      "name": "MoBay Garage",
      "phone": "+18765550100",
      "email": "parts@mobay-garage.example"
     },
     "notes": null,
     "requested_date": null,
     "payment_method": "CREDIT_TERMS",
     "shipments": [],
     "cancellable": true,
     "cancelled_at": null,
     "cancel_reason": null,
     "history": [
      {
       "status": "PENDING",
       "at": "2026-11-25T07:19:50.031Z"
      },
      {
       "status": "CONFIRMED",
       "at": "2026-11-25T07:19:50.031Z"
      }
     ]
    },
    "totals": {
     "subtotal": {
      "amount": "5445.44",
      "currency": "JMD"
     },
     "discount_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "tax_total": {
      "amount": "816.82",
      "currency": "JMD"
     },
     "shipping_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "total": {
      "amount": "6262.26",
      "currency": "JMD"
     },
     "taxes": [
      {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15",
       "base": {
        "amount": "5445.44",
        "currency": "JMD"
       },
       "amount": {
        "amount": "816.82",
        "currency": "JMD"
       }
      }
     ],
     "tax_included": false
    },
    "shortfall": null,
    "credit": null,
    "remedies": [],
    "payment": {
     "status": "NOT_REQUIRED",
     "session_id": null
    }
   }
  },
  {
   "method": "GET",
   "path": "/v1/orders/*",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "mpFNg7aaZ1-29",
    "x-service-mode": "sandbox"
   },
   "body": {
    "order_id": "ord_SRVXd7317fbeUdjkfflTe4",
    "order_number": "SO-200004",
    "status": "CONFIRMED",
    "payment_status": "NOT_REQUIRED",
    "channel": "ECOMMERCE",
    "currency": "JMD",
    "total": {
     "amount": "6262.26",
     "currency": "JMD"
    },
    "item_count": 1,
    "po_number": null,
    "placed_at": "2026-11-25T07:19:50.031Z",
    "updated_at": "2026-11-25T07:19:50.031Z",
    "lines": [
     {
      "sku": "BP-1001",
      "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
      "quantity": 1,
      "uom": "set",
      "order_uom": null,
      "order_quantity": null,
      "unit_price": {
       "amount": "5445.44",
       "currency": "JMD"
      },
      "list_unit_price": {
       "amount": "6188.00",
       "currency": "JMD"
      },
      "discount": {
       "amount": "0.00",
       "currency": "JMD"
      },
      "tax": {
       "code": "GCT",
       "rate": "0.15",
       "amount": {
        "amount": "816.82",
        "currency": "JMD"
       }
      },
      "line_total": {
       "amount": "6262.26",
       "currency": "JMD"
      },
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp"
     }
    ],
    "totals": {
     "subtotal": {
      "amount": "5445.44",
      "currency": "JMD"
     },
     "discount_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "tax_total": {
      "amount": "816.82",
      "currency": "JMD"
     },
     "shipping_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "total": {
      "amount": "6262.26",
      "currency": "JMD"
     },
     "taxes": [
      {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15",
       "base": {
        "amount": "5445.44",
        "currency": "JMD"
       },
       "amount": {
        "amount": "816.82",
        "currency": "JMD"
       }
      }
     ],
     "tax_included": false
    },
    "promotions": [],
    "fulfillment_method": "DELIVERY",
    "shipping_address": {
     "line1": "12 Harbour Street",
     "line2": null,
     "city": "St. James",
     "region": "St. James",
     "postal_code": null,
     "country": "JM"
    },
    "billing_address": {
     "line1": "12 Harbour Street",
     "line2": null,
     "city": "St. James",
     "region": "St. James",
     "postal_code": null,
     "country": "JM"
    },
    "contact": {
     "name": "MoBay Garage",
     "phone": "+18765550100",
     "email": "parts@mobay-garage.example"
    },
    "notes": null,
    "requested_date": null,
    "payment_method": "CREDIT_TERMS",
    "shipments": [],
    "cancellable": true,
    "cancelled_at": null,
    "cancel_reason": null,
    "history": [
     {
      "status": "PENDING",
      "at": "2026-11-25T07:19:50.031Z"
     },
     {
      "status": "CONFIRMED",
      "at": "2026-11-25T07:19:50.031Z"
     }
    ],
    "invoices": [],
    "errors": []
   }
  }
 ],
 "over_credit_limit": [
  {
   "method": "POST",
   "path": "/v1/shoppers/login",
   "status": 200,
   "headers": {
    "x-request-id": "mpFNg7aaZ1-2a",
    "x-service-mode": "sandbox"
   },
   "body": {
    "shopper_token": "recorded-shopper_token",
    "token_type": "Shopper",
    "expires_at": "2026-11-25T08:19:50.084Z",
    "expires_in": 3599,
    "refresh_token": "recorded-refresh_token",
    "refresh_expires_at": "2026-12-25T07:19:50.084Z",
    "device_token": "recorded-device_token",
    "customer": {
     "customer_id": "C-1006",
     "account_number": "70015",
     "email": "desk@negril-hire.example",
     "first_name": null,
     "last_name": null,
     "company": "Negril Bike and Car Hire",
     "phone": "+18765550105",
     "customer_type": "BUSINESS",
     "status": "ACTIVE",
     "currency": "JMD",
     "payment_methods": [
      "CREDIT_TERMS",
      "CASH_ON_DELIVERY"
     ],
     "addresses": [
      {
       "address_id": "C-1006-1",
       "is_default": true,
       "line1": "Norman Manley Boulevard",
       "line2": null,
       "city": "Westmoreland",
       "region": "Westmoreland",
       "postal_code": null,
       "country": "JM",
       "source": "ACCOUNT"
      }
     ],
     "created_at": "2024-12-20T07:15:52.398Z",
     "errors": []
    },
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts",
   "status": 201,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "mpFNg7aaZ1-2b",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_iR4U0CV6Dg8Iy3MUdF7ycg",
    "state": "ACTIVE",
    "version": 1,
    "currency": "JMD",
    "lines": [],
    "item_count": 0,
    "promotions": [],
    "totals": null,
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T07:19:50.088Z",
    "updated_at": "2026-11-25T07:19:50.088Z",
    "expires_at": "2026-12-25T07:19:50.088Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/lines",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "mpFNg7aaZ1-2c",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_iR4U0CV6Dg8Iy3MUdF7ycg",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_BVjr2mv3GcOQ",
      "sku": "BP-1001",
      "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "quantity": 1,
      "uom": "set",
      "order_uom": null,
      "order_quantity": null,
      "band": "IN_STOCK",
      "unit_price": null,
      "list_unit_price": null,
      "discount": null,
      "tax": null,
      "line_total": null
     }
    ],
    "item_count": 1,
    "promotions": [],
    "totals": null,
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T07:19:50.088Z",
    "updated_at": "2026-11-25T07:19:50.092Z",
    "expires_at": "2026-12-25T07:19:50.092Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/price",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "mpFNg7aaZ1-2d",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_iR4U0CV6Dg8Iy3MUdF7ycg",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_BVjr2mv3GcOQ",
      "sku": "BP-1001",
      "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "quantity": 1,
      "uom": "set",
      "order_uom": null,
      "order_quantity": null,
      "band": "IN_STOCK",
      "unit_price": {
       "amount": "6188.00",
       "currency": "JMD"
      },
      "list_unit_price": {
       "amount": "6188.00",
       "currency": "JMD"
      },
      "discount": {
       "amount": "0.00",
       "currency": "JMD"
      },
      "tax": {
       "amount": "928.20",
       "currency": "JMD"
      },
      "line_total": {
       "amount": "7116.20",
       "currency": "JMD"
      }
     }
    ],
    "item_count": 1,
    "promotions": [],
    "totals": {
     "subtotal": {
      "amount": "6188.00",
      "currency": "JMD"
     },
     "discount_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "tax_total": {
      "amount": "928.20",
      "currency": "JMD"
     },
     "shipping_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "total": {
      "amount": "7116.20",
      "currency": "JMD"
     },
     "taxes": [
      {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15",
       "base": {
        "amount": "6188.00",
        "currency": "JMD"
       },
       "amount": {
        "amount": "928.20",
        "currency": "JMD"
       }
      }
     ],
     "tax_included": false
    },
    "pricing": {
     "state": "PRICED",
     "priced_at": "2026-11-25T07:19:50.097Z",
     "expires_at": "2026-11-25T07:34:50.097Z"
    },
    "credit": {
     "enabled": true,
     "would_exceed": true,
     "shortfall": {
      "amount": "7066.20",
      "currency": "JMD"
     },
     "available_credit": {
      "amount": "50.00",
      "currency": "JMD"
     },
     "as_of": "2026-11-25T07:19:50.095Z"
    },
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T07:19:50.088Z",
    "updated_at": "2026-11-25T07:19:50.092Z",
    "expires_at": "2026-12-25T07:19:50.092Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/checkout",
   "status": 200,
   "headers": {
    "x-request-id": "mpFNg7aaZ1-2e",
    "x-service-mode": "sandbox"
   },
   "body": {
    "state": "over_credit_limit",
    "cart_id": "cart_iR4U0CV6Dg8Iy3MUdF7ycg",
    "order_id": null,
    "order_number": null,
    "order": null,
    "totals": {
     "subtotal": {
      "amount": "6188.00",
      "currency": "JMD"
     },
     "discount_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "tax_total": {
      "amount": "928.20",
      "currency": "JMD"
     },
     "shipping_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "total": {
      "amount": "7116.20",
      "currency": "JMD"
     },
     "taxes": [
      {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15",
       "base": {
        "amount": "6188.00",
        "currency": "JMD"
       },
       "amount": {
        "amount": "928.20",
        "currency": "JMD"
       }
      }
     ],
     "tax_included": false
    },
    "shortfall": {
     "amount": "7066.20",
     "currency": "JMD"
    },
    "credit": {
     "enabled": true,
     "would_exceed": true,
     "shortfall": {
      "amount": "7066.20",
      "currency": "JMD"
     },
     "available_credit": {
      "amount": "50.00",
      "currency": "JMD"
     },
     "as_of": "2026-11-25T07:19:50.100Z"
    },
    "remedies": [
     "REDUCE_ORDER",
     "PAY_BALANCE",
     "CHOOSE_CASH_ON_DELIVERY"
    ],
    "payment": null
   }
  }
 ],
 "price_changed": [
  {
   "method": "POST",
   "path": "/v1/shoppers/login",
   "status": 200,
   "headers": {
    "x-request-id": "mpFNg7aaZ1-2f",
    "x-service-mode": "sandbox"
   },
   "body": {
    "shopper_token": "recorded-shopper_token",
    "token_type": "Shopper",
    "expires_at": "2026-11-25T08:19:50.169Z",
    "expires_in": 3599,
    "refresh_token": "recorded-refresh_token",
    "refresh_expires_at": "2026-12-25T07:19:50.169Z",
    "device_token": "recorded-device_token",
    "customer": {
     "customer_id": "C-1001",
     "account_number": "70010",
     "email": "parts@mobay-garage.example",
     "first_name": null,
     "last_name": null,
     "company": "MoBay Garage",
     "phone": "+18765550100",
     "customer_type": "BUSINESS",
     "status": "ACTIVE",
     "currency": "JMD",
     "payment_methods": [
      "CREDIT_TERMS",
      "CASH_ON_DELIVERY"
     ],
     "addresses": [
      {
       "address_id": "C-1001-1",
       "is_default": true,
       "line1": "12 Harbour Street",
       "line2": null,
       "city": "St. James",
       "region": "St. James",
       "postal_code": null,
       "country": "JM",
       "source": "ACCOUNT"
      },
      {
       "address_id": "C-1001-2",
       "is_default": false,
       "line1": "Warehouse, 12 Harbour Street",
       "line2": null,
       "city": "St. James",
       "region": "St. James",
       "postal_code": null,
       "country": "JM",
       "source": "ACCOUNT"
      }
     ],
     "created_at": "2025-10-21T07:15:52.398Z",
     "errors": []
    },
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts",
   "status": 201,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "mpFNg7aaZ1-2g",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_4Oqalvpda8geOmQmTitTA6",
    "state": "ACTIVE",
    "version": 1,
    "currency": "JMD",
    "lines": [],
    "item_count": 0,
    "promotions": [],
    "totals": null,
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T07:19:50.174Z",
    "updated_at": "2026-11-25T07:19:50.174Z",
    "expires_at": "2026-12-25T07:19:50.174Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/lines",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "mpFNg7aaZ1-2h",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_4Oqalvpda8geOmQmTitTA6",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_3VTZZqNfFEsj",
      "sku": "BP-1001",
      "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "quantity": 1,
      "uom": "set",
      "order_uom": null,
      "order_quantity": null,
      "band": "IN_STOCK",
      "unit_price": null,
      "list_unit_price": null,
      "discount": null,
      "tax": null,
      "line_total": null
     }
    ],
    "item_count": 1,
    "promotions": [],
    "totals": null,
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T07:19:50.174Z",
    "updated_at": "2026-11-25T07:19:50.177Z",
    "expires_at": "2026-12-25T07:19:50.177Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/price",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "mpFNg7aaZ1-2i",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_4Oqalvpda8geOmQmTitTA6",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_3VTZZqNfFEsj",
      "sku": "BP-1001",
      "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "quantity": 1,
      "uom": "set",
      "order_uom": null,
      "order_quantity": null,
      "band": "IN_STOCK",
      "unit_price": {
       "amount": "5445.44",
       "currency": "JMD"
      },
      "list_unit_price": {
       "amount": "6188.00",
       "currency": "JMD"
      },
      "discount": {
       "amount": "0.00",
       "currency": "JMD"
      },
      "tax": {
       "amount": "816.82",
       "currency": "JMD"
      },
      "line_total": {
       "amount": "6262.26",
       "currency": "JMD"
      }
     }
    ],
    "item_count": 1,
    "promotions": [],
    "totals": {
     "subtotal": {
      "amount": "5445.44",
      "currency": "JMD"
     },
     "discount_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "tax_total": {
      "amount": "816.82",
      "currency": "JMD"
     },
     "shipping_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "total": {
      "amount": "6262.26",
      "currency": "JMD"
     },
     "taxes": [
      {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15",
       "base": {
        "amount": "5445.44",
        "currency": "JMD"
       },
       "amount": {
        "amount": "816.82",
        "currency": "JMD"
       }
      }
     ],
     "tax_included": false
    },
    "pricing": {
     "state": "PRICED",
     "priced_at": "2026-11-25T07:19:50.198Z",
     "expires_at": "2026-11-25T07:34:50.198Z"
    },
    "credit": {
     "enabled": true,
     "would_exceed": false,
     "shortfall": null,
     "available_credit": {
      "amount": "291391.07",
      "currency": "JMD"
     },
     "as_of": "2026-11-25T07:19:50.191Z"
    },
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T07:19:50.174Z",
    "updated_at": "2026-11-25T07:19:50.177Z",
    "expires_at": "2026-12-25T07:19:50.177Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/checkout",
   "status": 409,
   "headers": {
    "x-request-id": "mpFNg7aaZ1-2j",
    "x-service-mode": "sandbox"
   },
   "body": {
    "type": "about:blank",
    "title": "Conflict",
    "status": 409,
    "detail": "The total is higher than expected_total. Show the cart to the shopper again.",
    "code": "price_changed",
    "request_id": "mpFNg7aaZ1-2j",
    "cart": {
     "cart_id": "cart_4Oqalvpda8geOmQmTitTA6",
     "state": "ACTIVE",
     "version": 2,
     "currency": "JMD",
     "lines": [
      {
       "line_id": "line_3VTZZqNfFEsj",
       "sku": "BP-1001",
       "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
       "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
       "quantity": 1,
       "uom": "set",
       "order_uom": null,
       "order_quantity": null,
       "band": "IN_STOCK",
       "unit_price": {
        "amount": "5445.44",
        "currency": "JMD"
       },
       "list_unit_price": {
        "amount": "6188.00",
        "currency": "JMD"
       },
       "discount": {
        "amount": "0.00",
        "currency": "JMD"
       },
       "tax": {
        "amount": "816.82",
        "currency": "JMD"
       },
       "line_total": {
        "amount": "6262.26",
        "currency": "JMD"
       }
      }
     ],
     "item_count": 1,
     "promotions": [],
     "totals": {
      "subtotal": {
       "amount": "5445.44",
       "currency": "JMD"
      },
      "discount_total": {
       "amount": "0.00",
       "currency": "JMD"
      },
      "tax_total": {
       "amount": "816.82",
       "currency": "JMD"
      },
      "shipping_total": {
       "amount": "0.00",
       "currency": "JMD"
      },
      "total": {
       "amount": "6262.26",
       "currency": "JMD"
      },
      "taxes": [
       {
        "code": "GCT",
        "name": "General Consumption Tax",
        "rate": "0.15",
        "base": {
         "amount": "5445.44",
         "currency": "JMD"
        },
        "amount": {
         "amount": "816.82",
         "currency": "JMD"
        }
       }
      ],
      "tax_included": false
     },
     "pricing": {
      "state": "PRICED",
      "priced_at": "2026-11-25T07:19:50.216Z",
      "expires_at": "2026-11-25T07:34:50.216Z"
     },
     "credit": {
      "enabled": true,
      "would_exceed": false,
      "shortfall": null,
      "available_credit": {
       "amount": "291391.07",
       "currency": "JMD"
      },
      "as_of": "2026-11-25T07:19:50.218Z"
     },
     "warnings": [],
     "order_id": null,
     "created_at": "2026-11-25T07:19:50.174Z",
     "updated_at": "2026-11-25T07:19:50.177Z",
     "expires_at": "2026-12-25T07:19:50.177Z",
     "errors": []
    }
   }
  }
 ],
 "line_unavailable": [
  {
   "method": "POST",
   "path": "/v1/shoppers/login",
   "status": 200,
   "headers": {
    "x-request-id": "mpFNg7aaZ1-2k",
    "x-service-mode": "sandbox"
   },
   "body": {
    "shopper_token": "recorded-shopper_token",
    "token_type": "Shopper",
    "expires_at": "2026-11-25T08:19:50.290Z",
    "expires_in": 3599,
    "refresh_token": "recorded-refresh_token",
    "refresh_expires_at": "2026-12-25T07:19:50.290Z",
    "device_token": "recorded-device_token",
    "customer": {
     "customer_id": "C-1001",
     "account_number": "70010",
     "email": "parts@mobay-garage.example",
     "first_name": null,
     "last_name": null,
     "company": "MoBay Garage",
     "phone": "+18765550100",
     "customer_type": "BUSINESS",
     "status": "ACTIVE",
     "currency": "JMD",
     "payment_methods": [
      "CREDIT_TERMS",
      "CASH_ON_DELIVERY"
     ],
     "addresses": [
      {
       "address_id": "C-1001-1",
       "is_default": true,
       "line1": "12 Harbour Street",
       "line2": null,
       "city": "St. James",
       "region": "St. James",
       "postal_code": null,
       "country": "JM",
       "source": "ACCOUNT"
      },
      {
       "address_id": "C-1001-2",
       "is_default": false,
       "line1": "Warehouse, 12 Harbour Street",
       "line2": null,
       "city": "St. James",
       "region": "St. James",
       "postal_code": null,
       "country": "JM",
       "source": "ACCOUNT"
      }
     ],
     "created_at": "2025-10-21T07:15:52.398Z",
     "errors": []
    },
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts",
   "status": 201,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "mpFNg7aaZ1-2l",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_XE39CGs2LRDhnFgYMSdycL",
    "state": "ACTIVE",
    "version": 1,
    "currency": "JMD",
    "lines": [],
    "item_count": 0,
    "promotions": [],
    "totals": null,
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T07:19:50.295Z",
    "updated_at": "2026-11-25T07:19:50.295Z",
    "expires_at": "2026-12-25T07:19:50.295Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/lines",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "mpFNg7aaZ1-2m",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_XE39CGs2LRDhnFgYMSdycL",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_yhWjFmvdoO31",
      "sku": "BP-1003",
      "name": "Rear Brake Pad Set, Hyundai Elantra 2001-2006, OE Quality",
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "quantity": 1,
      "uom": "set",
      "order_uom": null,
      "order_quantity": null,
      "band": "OUT",
      "unit_price": null,
      "list_unit_price": null,
      "discount": null,
      "tax": null,
      "line_total": null
     }
    ],
    "item_count": 1,
    "promotions": [],
    "totals": null,
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [
     {
      "code": "OUT_OF_STOCK",
      "line_id": "line_yhWjFmvdoO31",
      "message": "This product is out of stock."
     }
    ],
    "order_id": null,
    "created_at": "2026-11-25T07:19:50.295Z",
    "updated_at": "2026-11-25T07:19:50.297Z",
    "expires_at": "2026-12-25T07:19:50.297Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/price",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "mpFNg7aaZ1-2n",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_XE39CGs2LRDhnFgYMSdycL",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_yhWjFmvdoO31",
      "sku": "BP-1003",
      "name": "Rear Brake Pad Set, Hyundai Elantra 2001-2006, OE Quality",
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "quantity": 1,
      "uom": "set",
      "order_uom": null,
      "order_quantity": null,
      "band": "OUT",
      "unit_price": {
       "amount": "7240.64",
       "currency": "JMD"
      },
      "list_unit_price": {
       "amount": "8228.00",
       "currency": "JMD"
      },
      "discount": {
       "amount": "0.00",
       "currency": "JMD"
      },
      "tax": {
       "amount": "1086.10",
       "currency": "JMD"
      },
      "line_total": {
       "amount": "8326.74",
       "currency": "JMD"
      }
     }
    ],
    "item_count": 1,
    "promotions": [],
    "totals": {
     "subtotal": {
      "amount": "7240.64",
      "currency": "JMD"
     },
     "discount_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "tax_total": {
      "amount": "1086.10",
      "currency": "JMD"
     },
     "shipping_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "total": {
      "amount": "8326.74",
      "currency": "JMD"
     },
     "taxes": [
      {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15",
       "base": {
        "amount": "7240.64",
        "currency": "JMD"
       },
       "amount": {
        "amount": "1086.10",
        "currency": "JMD"
       }
      }
     ],
     "tax_included": false
    },
    "pricing": {
     "state": "PRICED",
     "priced_at": "2026-11-25T07:19:50.302Z",
     "expires_at": "2026-11-25T07:34:50.302Z"
    },
    "credit": {
     "enabled": true,
     "would_exceed": false,
     "shortfall": null,
     "available_credit": {
      "amount": "291391.07",
      "currency": "JMD"
     },
     "as_of": "2026-11-25T07:19:50.301Z"
    },
    "warnings": [
     {
      "code": "OUT_OF_STOCK",
      "line_id": "line_yhWjFmvdoO31",
      "message": "This product is out of stock."
     }
    ],
    "order_id": null,
    "created_at": "2026-11-25T07:19:50.295Z",
    "updated_at": "2026-11-25T07:19:50.297Z",
    "expires_at": "2026-12-25T07:19:50.297Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/checkout",
   "status": 409,
   "headers": {
    "x-request-id": "mpFNg7aaZ1-2o",
    "x-service-mode": "sandbox"
   },
   "body": {
    "type": "about:blank",
    "title": "Conflict",
    "status": 409,
    "detail": "A line of this cart is not available for sale; see skus.",
    "code": "line_unavailable",
    "request_id": "mpFNg7aaZ1-2o",
    "skus": [
     "BP-1003"
    ]
   }
  }
 ]
}
