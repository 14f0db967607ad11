-- For wrk: sends the file that BODY names, again and again. The last line is RESULT and, apart by spaces: requests per second,
-- 99th percentile in microseconds, failed requests.
local file = io.open(os.getenv("BODY"), "rb")
wrk.method = "POST"
wrk.body = file:read("*a")
wrk.headers["Content-Type"] = "application/json"
file:close()
done = function(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout + errors.status
  io.write(string.format("RESULT %f %d %d\n", summary.requests / (summary.duration / 1e6), latency:percentile(99), failed))
end
