/// Rules as the tools write them.
enum Rulesets {
  /// What `nft --json list ruleset` 1.0.6 writes of a host that lets in what it names, and drops the rest.
  static let nft = #"""
    {"nftables": [
      {"metainfo": {"version": "1.0.6", "release_name": "Lester Gooch #5", "json_schema_version": 1}},
      {"table": {"family": "inet", "name": "filter", "handle": 1}},
      {"set": {"family": "inet", "name": "trusted", "table": "filter", "type": "ipv4_addr", "handle": 4,
        "elem": ["192.0.2.9"]}},
      {"chain": {"family": "inet", "table": "filter", "name": "input", "handle": 1, "type": "filter", "hook": "input",
        "prio": 0, "policy": "drop"}},
      {"chain": {"family": "inet", "table": "filter", "name": "services", "handle": 2}},
      {"chain": {"family": "inet", "table": "filter", "name": "output", "handle": 3, "type": "filter", "hook": "output",
        "prio": 0, "policy": "accept"}},
      {"rule": {"family": "inet", "table": "filter", "chain": "input", "handle": 6, "expr": [
        {"vmap": {"key": {"ct": {"key": "state"}}, "data": {"set": [["invalid", {"drop": null}],
          ["established", {"accept": null}], ["related", {"accept": null}]]}}}]}},
      {"rule": {"family": "inet", "table": "filter", "chain": "input", "handle": 7, "expr": [
        {"match": {"op": "==", "left": {"meta": {"key": "iifname"}}, "right": "lo"}}, {"accept": null}]}},
      {"rule": {"family": "inet", "table": "filter", "chain": "input", "handle": 9, "expr": [
        {"match": {"op": "==", "left": {"meta": {"key": "l4proto"}}, "right": {"set": ["icmp", "ipv6-icmp"]}}},
        {"accept": null}]}},
      {"rule": {"family": "inet", "table": "filter", "chain": "input", "handle": 10, "expr": [
        {"match": {"op": "==", "left": {"payload": {"protocol": "ip", "field": "saddr"}}, "right": "@trusted"}},
        {"match": {"op": "==", "left": {"payload": {"protocol": "tcp", "field": "dport"}}, "right": 9000}},
        {"accept": null}]}},
      {"rule": {"family": "inet", "table": "filter", "chain": "input", "handle": 11, "expr": [
        {"match": {"op": "==", "left": {"payload": {"protocol": "udp", "field": "dport"}}, "right": 5353}},
        {"match": {"op": "==", "left": {"payload": {"protocol": "ip", "field": "daddr"}}, "right": "224.0.0.251"}},
        {"accept": null}]}},
      {"rule": {"family": "inet", "table": "filter", "chain": "input", "handle": 13, "expr": [
        {"match": {"op": "==", "left": {"payload": {"protocol": "tcp", "field": "dport"}},
          "right": {"set": [22, {"range": [4000, 4010]}]}}}, {"accept": null}]}},
      {"rule": {"family": "inet", "table": "filter", "chain": "input", "handle": 14, "expr": [
        {"match": {"op": "==", "left": {"meta": {"key": "iifname"}}, "right": "wlan*"}},
        {"jump": {"target": "services"}}]}},
      {"rule": {"family": "inet", "table": "filter", "chain": "input", "handle": 15, "expr": [
        {"limit": {"rate": 3, "burst": 5, "per": "second"}}, {"counter": {"packets": 0, "bytes": 0}},
        {"log": {"prefix": "in "}}]}},
      {"rule": {"family": "inet", "table": "filter", "chain": "input", "handle": 16, "expr": [
        {"match": {"op": "==", "left": {"meta": {"key": "pkttype"}}, "right": "multicast"}},
        {"match": {"op": "==", "left": {"payload": {"protocol": "ip6", "field": "daddr"}},
          "right": {"prefix": {"addr": "ff02::", "len": 16}}}},
        {"match": {"op": "==", "left": {"payload": {"protocol": "udp", "field": "dport"}}, "right": 5353}},
        {"accept": null}]}},
      {"rule": {"family": "inet", "table": "filter", "chain": "input", "handle": 18, "expr": [
        {"match": {"op": "==", "left": {"payload": {"protocol": "tcp", "field": "dport"}}, "right": 7000}},
        {"limit": {"rate": 3, "burst": 5, "per": "second"}}, {"accept": null}]}},
      {"rule": {"family": "inet", "table": "filter", "chain": "input", "handle": 19, "expr": [
        {"match": {"op": "!=", "left": {"payload": {"protocol": "udp", "field": "dport"}}, "right": 53}},
        {"counter": {"packets": 0, "bytes": 0}}, {"reject": {"type": "icmpx", "expr": "admin-prohibited"}}]}},
      {"rule": {"family": "inet", "table": "filter", "chain": "services", "handle": 20, "expr": [
        {"match": {"op": "==", "left": {"payload": {"protocol": "tcp", "field": "dport"}}, "right": 8080}},
        {"accept": null}]}},
      {"rule": {"family": "inet", "table": "filter", "chain": "services", "handle": 21, "expr": [{"return": null}]}},
      {"rule": {"family": "inet", "table": "filter", "chain": "output", "handle": 22, "expr": [
        {"match": {"op": "==", "left": {"meta": {"key": "oifname"}}, "right": "eth1"}},
        {"match": {"op": "==", "left": {"payload": {"protocol": "udp", "field": "dport"}}, "right": 5353}},
        {"drop": null}]}},
      {"rule": {"family": "inet", "table": "filter", "chain": "output", "handle": 23, "expr": [
        {"match": {"op": "==", "left": {"meta": {"key": "oifname"}}, "right": "eth2"}},
        {"match": {"op": "<", "left": {"numgen": {"mode": "random", "mod": 100, "offset": 0}}, "right": 20}},
        {"drop": null}]}}
    ]}
    """#

  /// As `iptables-save` writes the rules of a host with ufw.
  static let iptables = #"""
    # Generated by iptables-save
    *filter
    :INPUT DROP [12:3456]
    :FORWARD DROP [0:0]
    :OUTPUT ACCEPT [0:0]
    :ufw-before-input - [0:0]
    :ufw-user-input - [0:0]
    -A INPUT -j ufw-before-input
    -A INPUT -j ufw-user-input
    -A ufw-before-input -i lo -j ACCEPT
    -A ufw-before-input -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
    -A ufw-before-input -m conntrack --ctstate INVALID -j DROP
    -A ufw-before-input -p icmp -m icmp --icmp-type 8 -j ACCEPT
    -A ufw-before-input -d 224.0.0.251/32 -p udp -m udp --dport 5353 -j ACCEPT
    -A ufw-before-input -p tcp -m comment --comment "a \"quoted\" -j DROP" -m tcp --dport 21 -j DROP
    -A ufw-user-input ! -i eth+ -p tcp -m multiport --dports 22,4000:4010 -j ACCEPT
    -A ufw-user-input -s 192.0.2.0/24 -p tcp -m tcp --dport 9000 -j ACCEPT
    -A ufw-user-input -p udp -m udp --dport 9 -j REJECT --reject-with icmp-port-unreachable
    COMMIT
    *nat
    :INPUT ACCEPT [0:0]
    COMMIT
    """#
}
