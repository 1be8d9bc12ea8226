//! Which addresses of a network a look-up may reach, seen where a name is turned into them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// Where an address leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// To the public network.
    Public,
    /// To this machine or a network of its own.
    Private,
    /// To what no look-up has business with: the data of a cloud's machine, a group of receivers, an example.
    Never,
}

/// The names of cloud services for a machine's own data that lie in private ranges.
const METADATA_V4: Ipv4Addr = Ipv4Addr::new(100, 100, 100, 200);
const METADATA_V6: [Ipv6Addr; 2] = [
    Ipv6Addr::new(0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x0254),
    Ipv6Addr::new(0xfd20, 0x00ce, 0, 0, 0, 0, 0, 0x0254),
];

/// Where an address leads, by the registries of special addresses (RFC 6890 and what came after). An address that
/// holds one of IPv4 leads where that one does.
pub(super) fn reach(address: IpAddr) -> Reach {
    match address {
        IpAddr::V4(address) => reach_v4(address),
        IpAddr::V6(address) => reach_v6(address),
    }
}

fn reach_v4(address: Ipv4Addr) -> Reach {
    if address == METADATA_V4 {
        return Reach::Never;
    }
    match address.octets() {
        [0, ..]
        | [169, 254, ..]
        | [192, 0, 0 | 2, _]
        | [192, 88, 99, _]
        | [198, 51, 100, _]
        | [203, 0, 113, _]
        | [224..=255, ..] => Reach::Never,
        [10 | 127, ..] | [172, 16..=31, ..] | [192, 168, ..] | [100, 64..=127, ..] | [198, 18 | 19, ..] => {
            Reach::Private
        }
        _ => Reach::Public,
    }
}

fn reach_v6(address: Ipv6Addr) -> Reach {
    if let Some(inner) = address.to_ipv4_mapped() {
        return reach_v4(inner);
    }
    if address == Ipv6Addr::LOCALHOST {
        return Reach::Private;
    }
    if METADATA_V6.contains(&address) {
        return Reach::Never;
    }
    let inner = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        reach_v4(Ipv4Addr::new(a, b, c, d))
    };
    match address.segments() {
        // What a network without IPv4 reaches IPv4 through.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => inner(high, low),
        [0x64, 0xff9b, 1, ..] => Reach::Private,
        [0x2002, high, low, ..] => inner(high, low),
        [0x2001, 0..=0x1ff | 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => Reach::Never,
        [0xfc00..=0xfdff, ..] => Reach::Private,
        [0x2000..=0x3fff, ..] => Reach::Public,
        _ => Reach::Never,
    }
}

/// The system's own way to names.
pub(super) struct System;

impl Resolve for System {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            Ok(Box::new(found.collect::<Vec<_>>().into_iter()) as Addrs)
        })
    }
}

/// Lets through only what may be reached; the very addresses that it gives are connected to.
pub(super) struct Guard {
    /// Who knows names.
    pub(super) names: Arc<dyn Resolve>,
    /// Whether the host may be in the shop's own network.
    pub(super) private: bool,
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let private = self.private;
        let asked = self.names.resolve(name);
        Box::pin(async move {
            let open = |address: &SocketAddr| match reach(address.ip()) {
                Reach::Public => true,
                Reach::Private => private,
                Reach::Never => false,
            };
            let open: Vec<SocketAddr> = asked.await?.filter(open).collect();
            if open.is_empty() {
                return Err("its name leads to no address that a look-up may reach; where it is one of the \
                            shop's own, name the host in `allow_private`"
                    .into());
            }
            Ok(Box::new(open.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_where_the_registries_say() {
        for (reaches, addresses) in [
            (
                Reach::Public,
                &[
                    "8.8.8.8",
                    "93.184.216.34",
                    "100.63.255.255",
                    "100.128.0.0",
                    "172.15.0.1",
                    "172.32.0.1",
                    "192.167.1.1",
                    "198.17.0.1",
                    "198.20.0.1",
                    "223.255.255.255",
                    "2606:4700::1111",
                    "::ffff:8.8.8.8",
                    "64:ff9b::808:808",
                    "2002:808:808::1",
                ][..],
            ),
            (
                Reach::Private,
                &[
                    "127.0.0.1",
                    "127.255.255.255",
                    "10.0.0.1",
                    "172.16.0.1",
                    "172.31.255.255",
                    "192.168.1.1",
                    "100.64.0.1",
                    "100.127.255.255",
                    "198.18.0.1",
                    "::1",
                    "fc00::1",
                    "fdff::1",
                    "::ffff:127.0.0.1",
                    "::ffff:7f00:1",
                    "::ffff:10.0.0.1",
                    "64:ff9b::7f00:1",
                    "64:ff9b::a00:1",
                    "64:ff9b:1::1",
                    "2002:7f00:1::1",
                    "2002:c0a8:101::",
                ],
            ),
            (
                Reach::Never,
                &[
                    "0.0.0.0",
                    "0.1.2.3",
                    "169.254.169.254",
                    "169.254.0.1",
                    "100.100.100.200",
                    "192.0.0.192",
                    "192.0.2.1",
                    "198.51.100.1",
                    "203.0.113.1",
                    "224.0.0.1",
                    "240.0.0.1",
                    "255.255.255.255",
                    "::",
                    "::127.0.0.1",
                    "fe80::1",
                    "fec0::1",
                    "ff02::1",
                    "2001:db8::1",
                    "2001::1",
                    "3fff::1",
                    "fd00:ec2::254",
                    "fd20:ce::254",
                    "::ffff:169.254.169.254",
                    "::ffff:a9fe:a9fe",
                    "64:ff9b::a9fe:a9fe",
                    "2002:a9fe:a9fe::1",
                    "100::1",
                    "4000::1",
                ],
            ),
        ] {
            for address in addresses {
                assert_eq!(reach(address.parse().unwrap()), reaches, "{address}");
            }
        }
    }
}
