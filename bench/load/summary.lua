-- Prints the results of wrk as one line of JSON. The first argument is the path, with %d for a counter; %100d begins again at 100.
-- The second argument is where the counter begins. With the third one, completeness, incomplete responses are counted.
local template, fixed
local count = 0
local threads = {}

function setup(thread) table.insert(threads, thread) end

function init(args)
  template = args[1]
  count = tonumber(args[2])
  fixed = not template:find("%%%d*d")
  incomplete = 0
  -- Only on request: reading headers slows wrk down.
  if args[3] ~= "completeness" then return end
  function response(status, headers)
    if headers["Forecourt-Complete"] ~= "true" then incomplete = incomplete + 1 end
  end
end

function request()
  if fixed then return wrk.format("GET", template) end
  count = count + 1
  return wrk.format("GET", (template:gsub("%%(%d*)d", function(wrap)
    return tostring(wrap == "" and count or count % tonumber(wrap))
  end)))
end

function done(summary, latency)
  local missing = 0
  for _, thread in ipairs(threads) do missing = missing + (thread:get("incomplete") or 0) end
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"durationUs":%d,"bytes":%d,"errorResponses":%d,"socketErrors":%d,"incomplete":%d,"p50":%f,"p99":%f,"max":%f}\n',
    summary.requests, summary.duration, summary.bytes, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout, missing,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency.max / 1000))
end
