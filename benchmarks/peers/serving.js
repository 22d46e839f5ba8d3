// How a server lives: it says its port in one line, and ends with whoever started it, at the latest after two minutes.

process.stdin.resume().on("end", () => process.exit());
setTimeout(() => process.exit(1), 120_000);

exports.serve = (http) => console.log(JSON.stringify({ port: http.address().port }));
